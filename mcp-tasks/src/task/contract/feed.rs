//! The feed of changes: no follower misses one.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::yield_now;
use tokio::time::timeout;

use crate::model::principal::Owner;
use crate::model::task::TaskId;
use crate::task::store::{Changes, Cursor, TaskStore};

use super::fixture::{get, insert, next, poll_once, record, swapped, take_expired};

pub(super) async fn every_change_is_in_the_feed(store: Arc<dyn TaskStore>) {
    let store = &*store;
    let first = insert(store, record("a", Owner::Process, 10)).await;
    let inserted = changes(store, Cursor::default()).await;
    assert!(names(&inserted, "a"), "an insert is a change: {inserted:?}");
    swapped(store, &next(&first)).await;
    let moved = changes(store, inserted.next).await;
    assert!(names(&moved, "a"), "a swap is a change: {moved:?}");
    take_expired(store, 1_010, 9).await;
    let removed = changes(store, moved.next).await;
    assert!(names(&removed, "a"), "a removal is a change: {removed:?}");
}

pub(super) async fn reading_takes_nothing_out(store: Arc<dyn TaskStore>) {
    let store = &*store;
    insert(store, record("a", Owner::Process, 10)).await;
    for reader in ["first", "second"] {
        let read = changes(store, Cursor::default()).await;
        assert!(names(&read, "a"), "the {reader} reader: {read:?}");
    }
}

pub(super) async fn a_reader_waits_for_a_change(store: Arc<dyn TaskStore>) {
    let first = insert(&*store, record("a", Owner::Process, 10)).await;
    let cursor = changes(&*store, Cursor::default()).await.next;
    assert!(
        poll_once(store.changes(cursor)).await.is_none(),
        "nothing has changed"
    );
    let reader = tokio::spawn({
        let store = Arc::clone(&store);
        async move { changes(&*store, cursor).await }
    });
    yield_now().await;
    swapped(&*store, &next(&first)).await;
    let read = reader.await.expect("the reader is woken");
    assert!(names(&read, "a"), "{read:?}");
    assert!(read.next > cursor);
}

pub(super) async fn a_dropped_reader_loses_nothing(store: Arc<dyn TaskStore>) {
    let mut latest = insert(&*store, record("a", Owner::Process, 10)).await;
    let mut cursor = changes(&*store, Cursor::default()).await.next;
    for _ in 0..100 {
        assert!(poll_once(store.changes(cursor)).await.is_none());
        latest = next(&latest);
        swapped(&*store, &latest).await;
        // Taken and thrown away, as by a `select!` that another branch wins.
        let _dropped = poll_once(store.changes(cursor)).await;
        let read = changes(&*store, cursor).await;
        assert!(names(&read, "a"), "{read:?}");
        cursor = read.next;
    }
}

/// Reads each task only when the feed names it, as the engine's waiters do, and ends up with every
/// last version.
pub(super) async fn a_follower_sees_every_last_version(store: Arc<dyn TaskStore>) {
    const TASKS: usize = 8;
    const SWAPS: u64 = 500;
    let ids: Vec<TaskId> = (0..TASKS)
        .map(|n| TaskId::new(format!("task-{n}")))
        .collect();
    for id in &ids {
        let mut latest = insert(&*store, record(id.as_str(), Owner::Process, 10)).await;
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            for _ in 0..SWAPS {
                latest = next(&latest);
                swapped(&*store, &latest).await;
                yield_now().await;
            }
        });
    }
    let mut seen: HashMap<TaskId, u64> = HashMap::new();
    let mut cursor = Cursor::default();
    while seen.len() < TASKS || seen.values().any(|version| *version <= SWAPS) {
        let read = changes(&*store, cursor).await;
        cursor = read.next;
        for id in if read.lost { &ids } else { &read.ids } {
            let found = get(&*store, id).await.expect("no task is removed");
            seen.insert(id.clone(), found.version);
        }
    }
}

async fn changes(store: &dyn TaskStore, after: Cursor) -> Changes {
    let read = timeout(Duration::from_secs(30), store.changes(after)).await;
    read.expect("there is a change to read")
        .expect("the feed is read")
}

fn names(changes: &Changes, id: &str) -> bool {
    changes.lost || changes.ids.iter().any(|changed| changed.as_str() == id)
}
