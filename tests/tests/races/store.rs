//! A store in which tasks live as long as a test wants.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use mcp_tasks::TaskId;
use mcp_tasks::store::{
    Changes, Cursor, MemoryStore, Millis, Owner, Record, StoreError, Swap, TaskStatus, TaskStore,
    Version,
};

type Done<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// The in-memory store, but for time.
#[derive(Clone, Default)]
pub(crate) struct ShortLived(Arc<Inner>);

#[derive(Default)]
struct Inner {
    store: MemoryStore,
    /// Milliseconds for which a question may wait before its task expires.
    life: Option<u64>,
    /// All time is up.
    over: AtomicBool,
    now: AtomicU64,
}

impl ShortLived {
    /// Tasks that ask expire after so many milliseconds, whatever their records say, unless they are answered.
    pub(crate) fn new(life: Option<u64>) -> Self {
        Self(Arc::new(Inner {
            life,
            ..Inner::default()
        }))
    }

    /// Everything expires.
    pub(crate) fn end_of_time(&self) {
        self.0.over.store(true, Ordering::SeqCst);
    }

    fn shortened(&self, record: Arc<Record>) -> Arc<Record> {
        match self.0.life {
            Some(life) if record.status == TaskStatus::InputRequired => Arc::new(Record {
                ttl: record.updated.0 - record.created.0 + life,
                ..Record::clone(&record)
            }),
            _ => record,
        }
    }
}

impl TaskStore for ShortLived {
    fn insert(&self, record: Arc<Record>) -> Done<'_, ()> {
        self.0.store.insert(record)
    }

    fn get<'a>(&'a self, id: &'a TaskId) -> Done<'a, Option<Arc<Record>>> {
        self.0.store.get(id)
    }

    fn swap(&self, expected: Version, new: Arc<Record>) -> Done<'_, Swap> {
        self.0.store.swap(expected, self.shortened(new))
    }

    fn list<'a>(
        &'a self,
        owner: &'a Owner,
        after: Option<&'a TaskId>,
        limit: usize,
    ) -> Done<'a, Vec<Arc<Record>>> {
        self.0.store.list(owner, after, limit)
    }

    fn take_expired(&self, now: Millis, limit: usize) -> Done<'_, Vec<Arc<Record>>> {
        self.0.now.store(now.0, Ordering::SeqCst);
        let over = self.0.over.load(Ordering::SeqCst);
        let now = if over { Millis(u64::MAX) } else { now };
        self.0.store.take_expired(now, limit)
    }

    /// Never far off, so that the end of time is not slept through.
    fn next_deadline(&self) -> Done<'_, Option<Millis>> {
        Box::pin(async {
            let soon = Millis(self.0.now.load(Ordering::SeqCst) + 20);
            let next = self.0.store.next_deadline().await?;
            Ok(Some(next.unwrap_or(soon).min(soon)))
        })
    }

    fn changes(&self, after: Cursor) -> Done<'_, Changes> {
        self.0.store.changes(after)
    }
}
