//! Records and small steps that the contract's parts share.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use crate::model::clock::Millis;
use crate::model::principal::{Owner, Principal};
use crate::model::task::{TaskId, TaskStatus};
use crate::task::record::{Dialect, Record};
use crate::task::store::{Swap, TaskStore};
use crate::tool::BoxFuture;

/// A running task, made at 1,000 and kept for `ttl` from then.
pub(crate) fn record(id: &str, owner: Owner, ttl: u64) -> Record {
    let created = Millis(1_000);
    Record {
        id: TaskId::new(id),
        version: 1,
        owner,
        dialect: Dialect::Extension,
        tool: "build".into(),
        status: TaskStatus::Working,
        message: None,
        created,
        updated: created,
        ended: None,
        poll_interval: 1_000,
        keep: 0,
        wish: None,
        run_budget: ttl,
        ran: 0,
        running_since: Some(created),
        ttl,
        inputs: Vec::new(),
        cancel: None,
        outcome: None,
        runner: "runner".into(),
        heartbeat: created,
    }
}

pub(super) fn alice() -> Owner {
    Owner::Principal(Principal::new("https://issuer.example", "alice"))
}

/// Its next version, otherwise the same.
pub(super) fn next(record: &Record) -> Arc<Record> {
    Arc::new(Record {
        version: record.version + 1,
        ..record.clone()
    })
}

pub(super) async fn insert(store: &dyn TaskStore, record: Record) -> Arc<Record> {
    let record = Arc::new(record);
    store
        .insert(Arc::clone(&record))
        .await
        .expect("a new id is inserted");
    record
}

pub(super) async fn get(store: &dyn TaskStore, id: &TaskId) -> Option<Arc<Record>> {
    store.get(id).await.expect("a record is read")
}

pub(super) async fn swap(store: &dyn TaskStore, new: &Arc<Record>) -> Swap {
    store
        .swap(new.version - 1, Arc::clone(new))
        .await
        .expect("a swap has an outcome")
}

pub(super) async fn swapped(store: &dyn TaskStore, new: &Arc<Record>) {
    let swap = swap(store, new).await;
    assert!(
        matches!(swap, Swap::Done),
        "nobody else swaps, yet: {swap:?}"
    );
}

pub(super) async fn take_expired(
    store: &dyn TaskStore,
    now: u64,
    limit: usize,
) -> Vec<Arc<Record>> {
    store
        .take_expired(Millis(now), limit)
        .await
        .expect("expired records are taken")
}

pub(super) async fn next_deadline(store: &dyn TaskStore) -> Option<u64> {
    store
        .next_deadline()
        .await
        .expect("the next deadline is read")
        .map(|at| at.0)
}

pub(super) fn ids(records: &[Arc<Record>]) -> Vec<&str> {
    records.iter().map(|record| record.id.as_str()).collect()
}

/// Polls once and drops what is not ready.
pub(super) async fn poll_once<T>(mut future: BoxFuture<'_, T>) -> Option<T> {
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}
