//! What holds when everybody calls at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::task::{JoinSet, yield_now};

use crate::model::clock::Millis;
use crate::model::principal::Owner;
use crate::model::task::TaskId;
use crate::task::record::Record;
use crate::task::store::{Swap, TaskStore};

use super::fixture::{
    get, ids, insert, next, next_deadline, poll_once, record, swap, take_expired,
};

const CALLERS: usize = 8;

pub(super) async fn of_many_swaps_one_wins_each_version(store: Arc<dyn TaskStore>) {
    const SWAPS: usize = 1_000;
    let first = insert(&*store, record("a", Owner::Process, 10)).await;
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let (store, first) = (Arc::clone(&store), Arc::clone(&first));
        callers.spawn(async move {
            let mut won = Vec::new();
            let mut latest = first;
            while won.len() < SWAPS {
                let new = next(&latest);
                latest = match swap(&*store, &new).await {
                    Swap::Done => {
                        won.push(new.version);
                        yield_now().await;
                        new
                    }
                    Swap::Conflict(current) => current,
                    Swap::Gone => panic!("nothing removes it"),
                };
            }
            won
        });
    }
    let mut won: Vec<u64> = callers.join_all().await.into_iter().flatten().collect();
    won.sort_unstable();
    let last = 1 + (CALLERS * SWAPS) as u64;
    assert_eq!(
        won,
        (2..=last).collect::<Vec<_>>(),
        "each version has one winner"
    );
    assert_eq!(
        get(&*store, &first.id).await.map(|record| record.version),
        Some(last)
    );
}

pub(super) async fn each_expired_record_is_returned_once(store: Arc<dyn TaskStore>) {
    const TASKS: usize = 1_000;
    for n in 0..TASKS {
        insert(&*store, record(&format!("task-{n}"), Owner::Process, 10)).await;
    }
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let store = Arc::clone(&store);
        callers.spawn(async move {
            let mut all = Vec::new();
            loop {
                let taken = take_expired(&*store, 1_010, 7).await;
                if taken.is_empty() {
                    return all;
                }
                all.extend(taken);
                yield_now().await;
            }
        });
    }
    let taken: Vec<Arc<Record>> = callers.join_all().await.into_iter().flatten().collect();
    let mut names = ids(&taken);
    names.sort_unstable();
    names.dedup();
    assert_eq!((taken.len(), names.len()), (TASKS, TASKS));
    assert_eq!(next_deadline(&*store).await, None);
}

pub(super) async fn a_record_is_taken_in_its_last_version(store: Arc<dyn TaskStore>) {
    for round in 0..500 {
        let first = insert(
            &*store,
            record(&format!("task-{round}"), Owner::Process, 10),
        )
        .await;
        let other = tokio::spawn({
            let (store, new) = (Arc::clone(&store), next(&first));
            async move { swap(&*store, &new).await }
        });
        let taken = take_expired(&*store, 1_010, 9).await;
        let swap = other.await.expect("the swap does not panic");
        let version = match swap {
            Swap::Done => 2,
            Swap::Gone => 1,
            Swap::Conflict(current) => panic!("nobody else swaps: {current:?}"),
        };
        let versions: Vec<u64> = taken.iter().map(|record| record.version).collect();
        assert_eq!(versions, [version], "round {round}");
    }
}

pub(super) async fn a_dropped_future_has_acted_whole_or_not_at_all(store: Arc<dyn TaskStore>) {
    let mut there = BTreeMap::new();
    for round in 0_u64..100 {
        let first = Arc::new(record(
            &format!("task-{round:03}"),
            Owner::Process,
            10 + round,
        ));
        let _dropped = poll_once(store.insert(Arc::clone(&first))).await;
        if get(&*store, &first.id).await.is_none() {
            continue;
        }
        let moved = Arc::new(Record {
            ttl: 1_000 + round,
            ..(*next(&first)).clone()
        });
        let _dropped = poll_once(store.swap(1, moved)).await;
        let found = get(&*store, &first.id)
            .await
            .expect("a swap removes nothing");
        assert!([(1, 10 + round), (2, 1_000 + round)].contains(&(found.version, found.ttl)));
        there.insert(first.id.clone(), found.expires());
    }
    assert_eq!(
        listed(&*store).await,
        there.keys().cloned().collect::<Vec<_>>()
    );
    assert_eq!(
        next_deadline(&*store).await,
        there.values().min().map(|at| at.0)
    );

    let _dropped = poll_once(store.take_expired(Millis(u64::MAX), 50)).await;
    let left = listed(&*store).await;
    let deadline = left.iter().filter_map(|id| there.get(id)).min();
    assert_eq!(
        next_deadline(&*store).await,
        deadline.map(|at| at.0),
        "list and deadlines agree"
    );
    let taken = take_expired(&*store, u64::MAX, 100).await;
    assert_eq!(
        taken.len(),
        left.len(),
        "what was not taken then is taken now"
    );
}

async fn listed(store: &dyn TaskStore) -> Vec<TaskId> {
    let records = store
        .list(&Owner::Process, None, 1_000)
        .await
        .expect("tasks are listed");
    records.iter().map(|record| record.id.clone()).collect()
}
