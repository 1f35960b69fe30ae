//! A memory store whose calls fail or hang when told to, for tests.

use std::fmt;
use std::sync::{Arc, Mutex};

use tokio::sync::watch;

use super::memory::MemoryStore;
use super::record::Record;
use super::store::{Changes, Cursor, StoreError, Swap, TaskStore, Version};
use crate::model::clock::Millis;
use crate::model::concurrency::lock;
use crate::model::principal::Owner;
use crate::model::task::{TaskId, TaskStatus};
use crate::tool::BoxFuture;

/// What a [`FaultyStore`] is asked for. See [the guide](crate::guide::testing#what-else-to-test).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreCall {
    /// To add a task.
    Insert,
    /// To read one.
    Get,
    /// To move one on, to this status or within it.
    Swap(TaskStatus),
    /// To list an owner's tasks.
    List,
    /// To hand out what has expired.
    TakeExpired,
    /// To say when the next task expires.
    NextDeadline,
    /// To say what has changed.
    Changes,
}

/// A store that keeps tasks in memory and fails, or hangs, when a test tells it to. Clones are one store. See
/// [the guide](crate::guide::testing#what-else-to-test).
#[derive(Clone, Default)]
pub struct FaultyStore(Arc<Shared>);

#[derive(Default)]
struct Shared {
    tasks: MemoryStore,
    faults: Mutex<Faults>,
    hangs: watch::Sender<bool>,
}

#[derive(Default)]
struct Faults {
    /// How many of the calls it picks are still to fail.
    next: Option<(usize, Picks)>,
    failed: usize,
    calls: Vec<StoreCall>,
}

type Picks = Box<dyn FnMut(StoreCall) -> bool + Send>;

impl FaultyStore {
    /// The next call, whichever it is, fails.
    pub fn fail_next(&self) {
        self.fail(1, |_| true);
    }

    /// The next `times` calls that `which` picks fail, instead of those that were still to fail. `usize::MAX` is for good.
    pub fn fail(&self, times: usize, which: impl FnMut(StoreCall) -> bool + Send + 'static) {
        lock(&self.0.faults).next = Some((times, Box::new(which)));
    }

    /// No call comes to an end before [`recover`](Self::recover).
    pub fn hang(&self) {
        self.0.hangs.send_replace(true);
    }

    /// From now on nothing fails, and what hung goes on.
    pub fn recover(&self) {
        lock(&self.0.faults).next = None;
        self.0.hangs.send_replace(false);
    }

    /// How many calls have failed.
    pub fn failed(&self) -> usize {
        lock(&self.0.faults).failed
    }

    /// Every call so far, in order.
    pub fn calls(&self) -> Vec<StoreCall> {
        lock(&self.0.faults).calls.clone()
    }

    fn check<'a, T: Send + 'a>(
        &self,
        call: StoreCall,
        answer: BoxFuture<'a, Result<T, StoreError>>,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        if lock(&self.0.faults).fails(call) {
            return Box::pin(async { Err(StoreError("the faulty store was told to fail".into())) });
        }
        let mut hangs = self.0.hangs.subscribe();
        if !*hangs.borrow_and_update() {
            return answer;
        }
        Box::pin(async move {
            // The sender lives as long as the store, which outlives its calls.
            let _ = hangs.wait_for(|hangs| !hangs).await;
            answer.await
        })
    }
}

impl Faults {
    fn fails(&mut self, call: StoreCall) -> bool {
        self.calls.push(call);
        let Some((times, picks)) = &mut self.next else {
            return false;
        };
        let fails = *times > 0 && picks(call);
        if fails {
            *times -= 1;
            self.failed += 1;
        }
        fails
    }
}

impl TaskStore for FaultyStore {
    fn insert(&self, record: Arc<Record>) -> BoxFuture<'_, Result<(), StoreError>> {
        self.check(StoreCall::Insert, self.0.tasks.insert(record))
    }

    fn get<'a>(&'a self, id: &'a TaskId) -> BoxFuture<'a, Result<Option<Arc<Record>>, StoreError>> {
        self.check(StoreCall::Get, self.0.tasks.get(id))
    }

    fn swap(&self, expected: Version, new: Arc<Record>) -> BoxFuture<'_, Result<Swap, StoreError>> {
        let call = StoreCall::Swap(new.status);
        self.check(call, self.0.tasks.swap(expected, new))
    }

    fn list<'a>(
        &'a self,
        owner: &'a Owner,
        after: Option<&'a TaskId>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Arc<Record>>, StoreError>> {
        self.check(StoreCall::List, self.0.tasks.list(owner, after, limit))
    }

    fn take_expired(
        &self,
        now: Millis,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Arc<Record>>, StoreError>> {
        self.check(
            StoreCall::TakeExpired,
            self.0.tasks.take_expired(now, limit),
        )
    }

    fn next_deadline(&self) -> BoxFuture<'_, Result<Option<Millis>, StoreError>> {
        self.check(StoreCall::NextDeadline, self.0.tasks.next_deadline())
    }

    fn changes(&self, after: Cursor) -> BoxFuture<'_, Result<Changes, StoreError>> {
        self.check(StoreCall::Changes, self.0.tasks.changes(after))
    }
}

impl fmt::Debug for FaultyStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = lock(&self.0.faults);
        f.debug_struct("FaultyStore")
            .field("failed", &faults.failed)
            .field("hangs", &*self.0.hangs.borrow())
            .finish_non_exhaustive()
    }
}
