//! What one caller alone can rely on.

use std::sync::Arc;

use crate::model::principal::Owner;
use crate::model::task::TaskId;
use crate::task::record::Record;
use crate::task::store::{Swap, TaskStore};

use super::fixture::{
    alice, get, ids, insert, next, next_deadline, record, swap, swapped, take_expired,
};

pub(super) async fn an_inserted_record_is_there_once(store: Arc<dyn TaskStore>) {
    let store = &*store;
    assert!(get(store, &TaskId::new("a")).await.is_none());
    let first = insert(store, record("a", Owner::Process, 100)).await;
    let twin = Record {
        tool: "other".into(),
        owner: alice(),
        ..record("a", Owner::Process, 5)
    };
    assert!(
        store.insert(Arc::new(twin)).await.is_err(),
        "the id is taken"
    );
    let found = get(store, &first.id)
        .await
        .expect("the first is still there");
    assert_eq!((&*found.tool, &found.owner), ("build", &Owner::Process));
    assert_eq!(
        next_deadline(store).await,
        Some(1_100),
        "the twin left nothing behind"
    );
}

pub(super) async fn a_swap_needs_the_latest_version(store: Arc<dyn TaskStore>) {
    let store = &*store;
    let first = insert(store, record("a", Owner::Process, 100)).await;
    let second = next(&first);
    swapped(store, &second).await;
    let late = Arc::new(Record {
        message: Some("late".into()),
        ..(*second).clone()
    });
    match swap(store, &late).await {
        Swap::Conflict(current) => assert_eq!(current.version, 2),
        other => panic!("version 1 is no longer there: {other:?}"),
    }
    let found = get(store, &first.id).await.expect("the record stays");
    assert_eq!(
        (found.version, found.message.is_none()),
        (2, true),
        "a loser changes nothing"
    );
    let unknown = next(&record("b", Owner::Process, 100));
    assert!(matches!(swap(store, &unknown).await, Swap::Gone));
    assert!(
        get(store, &unknown.id).await.is_none(),
        "a swap adds nothing"
    );
}

pub(super) async fn a_list_is_one_owners_in_order_of_creation(store: Arc<dyn TaskStore>) {
    let store = &*store;
    for (id, owner) in [
        ("c", alice()),
        ("x", Owner::Process),
        ("a", alice()),
        ("b", alice()),
    ] {
        insert(store, record(id, owner, 100)).await;
    }
    let middle = get(store, &TaskId::new("a"))
        .await
        .expect("it was inserted");
    swapped(store, &next(&middle)).await;
    assert_eq!(
        list(store, &alice(), None, 9).await,
        ["c", "a", "b"],
        "a swap moves nothing"
    );
    assert_eq!(list(store, &alice(), None, 2).await, ["c", "a"]);
    assert_eq!(list(store, &alice(), Some("a"), 2).await, ["b"]);
    assert_eq!(list(store, &alice(), Some("b"), 2).await, [""; 0]);
    assert_eq!(list(store, &alice(), None, 0).await, [""; 0]);
    assert_eq!(list(store, &Owner::Process, None, 9).await, ["x"]);
    assert_eq!(list(store, &Owner::Bearer, None, 9).await, [""; 0]);
}

pub(super) async fn a_list_goes_on_after_a_task_that_is_gone(store: Arc<dyn TaskStore>) {
    let store = &*store;
    for (id, ttl) in [("c", 100), ("a", 50), ("b", 100)] {
        insert(store, record(id, alice(), ttl)).await;
    }
    assert_eq!(ids(&take_expired(store, 1_050, 9).await), ["a"]);
    assert_eq!(list(store, &alice(), Some("a"), 9).await, ["b"]);
    assert_eq!(list(store, &alice(), None, 9).await, ["c", "b"]);
}

pub(super) async fn a_list_after_an_unknown_or_foreign_task_is_empty(store: Arc<dyn TaskStore>) {
    let store = &*store;
    for (id, owner, ttl) in [
        ("x", Owner::Process, 100),
        ("y", Owner::Process, 50),
        ("a", alice(), 100),
    ] {
        insert(store, record(id, owner, ttl)).await;
    }
    take_expired(store, 1_050, 9).await;
    for after in ["never", "x", "y"] {
        assert_eq!(
            list(store, &alice(), Some(after), 9).await,
            [""; 0],
            "after {after}"
        );
    }
}

pub(super) async fn expired_records_leave_earliest_first(store: Arc<dyn TaskStore>) {
    let store = &*store;
    assert_eq!(next_deadline(store).await, None);
    for (id, ttl) in [("c", 30), ("a", 10), ("d", 40), ("b", 20)] {
        insert(store, record(id, Owner::Process, ttl)).await;
    }
    assert_eq!(next_deadline(store).await, Some(1_010));
    assert_eq!(ids(&take_expired(store, 1_009, 9).await), [""; 0]);
    assert_eq!(ids(&take_expired(store, 1_030, 0).await), [""; 0]);
    assert_eq!(ids(&take_expired(store, 1_030, 2).await), ["a", "b"]);
    assert_eq!(
        ids(&take_expired(store, 1_030, 2).await),
        ["c"],
        "at the very moment it is expired"
    );
    assert_eq!(ids(&take_expired(store, 1_030, 2).await), [""; 0]);
    assert_eq!(next_deadline(store).await, Some(1_040));
    let gone = record("a", Owner::Process, 10);
    assert!(get(store, &gone.id).await.is_none());
    assert!(matches!(swap(store, &next(&gone)).await, Swap::Gone));
    assert_eq!(list(store, &Owner::Process, None, 9).await, ["d"]);
}

pub(super) async fn a_deadline_moves_with_its_record(store: Arc<dyn TaskStore>) {
    let store = &*store;
    let first = insert(store, record("a", Owner::Process, 10)).await;
    let later = Arc::new(Record {
        ttl: 500,
        ..(*next(&first)).clone()
    });
    swapped(store, &later).await;
    assert_eq!(next_deadline(store).await, Some(1_500));
    assert_eq!(
        ids(&take_expired(store, 1_499, 9).await),
        [""; 0],
        "the old deadline is void"
    );
    let sooner = Arc::new(Record {
        ttl: 20,
        ..(*next(&later)).clone()
    });
    swapped(store, &sooner).await;
    let taken = take_expired(store, 1_020, 9).await;
    assert_eq!(
        taken
            .iter()
            .map(|record| record.version)
            .collect::<Vec<_>>(),
        [3]
    );
    assert_eq!(next_deadline(store).await, None);
}

pub(super) async fn the_end_of_time_is_a_deadline(store: Arc<dyn TaskStore>) {
    let store = &*store;
    insert(store, record("a", Owner::Process, u64::MAX)).await;
    insert(store, record("b", Owner::Process, 10)).await;
    assert_eq!(ids(&take_expired(store, 1_000_000, 9).await), ["b"]);
    assert_eq!(next_deadline(store).await, Some(u64::MAX));
}

async fn list(
    store: &dyn TaskStore,
    owner: &Owner,
    after: Option<&str>,
    limit: usize,
) -> Vec<String> {
    let after = after.map(TaskId::new);
    let listed = store
        .list(owner, after.as_ref(), limit)
        .await
        .expect("tasks are listed");
    ids(&listed).into_iter().map(String::from).collect()
}
