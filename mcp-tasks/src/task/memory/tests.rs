use crate::task::contract::{record, store_contract};

use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_memory_store_keeps_the_contract() {
    store_contract(MemoryStore::new).await;
}

#[tokio::test]
async fn a_reader_too_far_behind_is_told_so() {
    let store = MemoryStore::new();
    for n in 0..=FEED {
        store
            .insert(Arc::new(record(&n.to_string(), Owner::Process, 10)))
            .await
            .unwrap();
    }
    let behind = store.changes(Cursor(0)).await.unwrap();
    assert!(behind.lost && behind.next == Cursor(FEED as u64 + 1));
    let just_in_time = store.changes(Cursor(1)).await.unwrap();
    assert!(!just_in_time.lost);
    assert_eq!(just_in_time.ids.len(), FEED);
}

#[tokio::test]
async fn a_cursor_of_another_store_is_told_so() {
    let store = MemoryStore::new();
    let changes = store.changes(Cursor(7)).await.unwrap();
    assert!(changes.lost && changes.next == Cursor(0));
}

#[tokio::test]
async fn removed_tasks_leave_nothing_but_their_bounded_memory() {
    let store = MemoryStore::new();
    for n in 0..GONE + 10 {
        store
            .insert(Arc::new(record(&n.to_string(), Owner::Process, 10)))
            .await
            .unwrap();
    }
    assert_eq!(
        store
            .take_expired(Millis(2_000), usize::MAX)
            .await
            .unwrap()
            .len(),
        GONE + 10
    );
    let tables = lock(&store.tables);
    assert!(tables.records.is_empty() && tables.owners.is_empty() && tables.deadlines.is_empty());
    assert_eq!(
        (tables.gone.order.len(), tables.gone.places.len()),
        (GONE, GONE)
    );
    assert_eq!(tables.feed.latest.len(), FEED);
}
