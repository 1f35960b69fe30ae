//! For tests: a memory store whose calls fail or hang when told to.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::model::clock::Millis;
use crate::model::principal::Owner;
use crate::model::task::TaskId;
use crate::tool::BoxFuture;

use super::memory::MemoryStore;
use super::record::Record;
use super::store::{Changes, Cursor, StoreError, Swap, TaskStore, Version};

#[derive(Default)]
pub(super) struct FaultyStore {
    inner: MemoryStore,
    takes: AtomicUsize,
    fails_next: AtomicBool,
    hangs: AtomicBool,
}

impl FaultyStore {
    /// The next call, whichever it is, fails.
    pub(super) fn fail_next(&self) {
        self.fails_next.store(true, Ordering::SeqCst);
    }

    /// No call comes to an end from now on.
    pub(super) fn hang(&self) {
        self.hangs.store(true, Ordering::SeqCst);
    }

    /// How often expired records were asked for.
    pub(super) fn takes(&self) -> usize {
        self.takes.load(Ordering::SeqCst)
    }

    fn check<'a, T: Send + 'a>(
        &self,
        call: BoxFuture<'a, Result<T, StoreError>>,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        if self.hangs.load(Ordering::SeqCst) {
            return Box::pin(pending());
        }
        if self.fails_next.swap(false, Ordering::SeqCst) {
            return Box::pin(async { Err(StoreError("the disk is away".into())) });
        }
        call
    }
}

impl TaskStore for FaultyStore {
    fn insert(&self, record: Arc<Record>) -> BoxFuture<'_, Result<(), StoreError>> {
        self.check(self.inner.insert(record))
    }

    fn get<'a>(&'a self, id: &'a TaskId) -> BoxFuture<'a, Result<Option<Arc<Record>>, StoreError>> {
        self.check(self.inner.get(id))
    }

    fn swap(&self, expected: Version, new: Arc<Record>) -> BoxFuture<'_, Result<Swap, StoreError>> {
        self.check(self.inner.swap(expected, new))
    }

    fn list<'a>(
        &'a self,
        owner: &'a Owner,
        after: Option<&'a TaskId>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Arc<Record>>, StoreError>> {
        self.check(self.inner.list(owner, after, limit))
    }

    fn take_expired(
        &self,
        now: Millis,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Arc<Record>>, StoreError>> {
        self.takes.fetch_add(1, Ordering::SeqCst);
        self.check(self.inner.take_expired(now, limit))
    }

    fn next_deadline(&self) -> BoxFuture<'_, Result<Option<Millis>, StoreError>> {
        self.check(self.inner.next_deadline())
    }

    fn changes(&self, after: Cursor) -> BoxFuture<'_, Result<Changes, StoreError>> {
        self.check(self.inner.changes(after))
    }
}
