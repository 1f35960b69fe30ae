//! What every store must keep to, as a suite that any store can run.

mod feed;
mod fixture;
mod races;
mod single;

use std::sync::Arc;

use super::store::TaskStore;

#[cfg(test)]
pub(crate) use self::fixture::record;

/// Runs the whole contract of [`TaskStore`], each part against a store of its own that `make`
/// returns empty.
///
/// Run it on a multi-threaded runtime, or its races are none. Takes a second or so beside the
/// store's own time.
///
/// # Panics
///
/// Where the store breaks the contract.
pub async fn store_contract<S: TaskStore>(make: impl Fn() -> S) {
    let fresh = || -> Arc<dyn TaskStore> { Arc::new(make()) };

    single::an_inserted_record_is_there_once(fresh()).await;
    single::a_swap_needs_the_latest_version(fresh()).await;
    single::a_list_is_one_owners_in_order_of_creation(fresh()).await;
    single::a_list_goes_on_after_a_task_that_is_gone(fresh()).await;
    single::a_list_after_an_unknown_or_foreign_task_is_empty(fresh()).await;
    single::expired_records_leave_earliest_first(fresh()).await;
    single::a_deadline_moves_with_its_record(fresh()).await;
    single::the_end_of_time_is_a_deadline(fresh()).await;

    feed::every_change_is_in_the_feed(fresh()).await;
    feed::reading_takes_nothing_out(fresh()).await;
    feed::a_reader_waits_for_a_change(fresh()).await;
    feed::a_dropped_reader_loses_nothing(fresh()).await;
    feed::a_follower_sees_every_last_version(fresh()).await;

    races::of_many_swaps_one_wins_each_version(fresh()).await;
    races::each_expired_record_is_returned_once(fresh()).await;
    races::a_record_is_taken_in_its_last_version(fresh()).await;
    races::a_dropped_future_has_acted_whole_or_not_at_all(fresh()).await;
}
