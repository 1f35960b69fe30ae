//! Stores that are not as quick and as sound as memory.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use mcp_tasks::TaskId;
use mcp_tasks::store::{
    Changes, Cursor, MemoryStore, Millis, Owner, Record, StoreError, Swap, TaskStatus, TaskStore,
    Version,
};

type BoxFuture<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A store behind a wire: reading and writing a record takes a while, and fails when told to.
#[derive(Clone, Debug, Default)]
pub struct RemoteStore(Arc<Remote>);

#[derive(Debug, Default)]
struct Remote {
    inner: MemoryStore,
    millis: AtomicU64,
    failures: AtomicU32,
    unread: AtomicU32,
    /// Milliseconds before a change takes effect.
    queue: AtomicU64,
    /// Milliseconds for which a task that asks is kept; 0 is what its record says.
    life: AtomicU64,
    /// The change to this status is heard of late.
    late_change: Mutex<Option<(TaskStatus, Duration)>>,
    /// After so many reads one takes long.
    late_read: Mutex<Option<(u32, Duration)>>,
}

impl RemoteStore {
    /// A store whose operations return this long after they took effect.
    pub fn slow(time: Duration) -> Self {
        let store = Self::default();
        let millis = u64::try_from(time.as_millis()).expect("a short while");
        store.0.millis.store(millis, Ordering::SeqCst);
        store
    }

    /// The next `count` operations on records fail.
    pub fn fail(&self, count: u32) {
        self.0.failures.store(count, Ordering::SeqCst);
    }

    /// The next `count` reads of a record fail.
    pub fn fail_reads(&self, count: u32) {
        self.0.unread.store(count, Ordering::SeqCst);
    }

    /// Changes of records take effect this long after they were asked for, from now on; reading takes no time.
    pub fn queue_changes(&self, time: Duration) {
        let millis = u64::try_from(time.as_millis()).expect("a short while");
        self.0.queue.store(millis, Ordering::SeqCst);
    }

    /// Tasks that ask from now on expire after this time, unless they are answered.
    pub fn shorten_questions(&self, life: Duration) {
        let millis = u64::try_from(life.as_millis()).expect("a short while");
        self.0.life.store(millis, Ordering::SeqCst);
    }

    /// The next change to `status` returns this long after it took effect.
    pub fn delay_change(&self, status: TaskStatus, time: Duration) {
        *lock(&self.0.late_change) = Some((status, time));
    }

    /// The read of a record after the next `reads` takes effect this long after it was asked for.
    pub fn delay_read_after(&self, reads: u32, time: Duration) {
        *lock(&self.0.late_read) = Some((reads, time));
    }

    /// No operation returns from now on.
    pub fn hang(&self) {
        self.0.millis.store(u64::MAX, Ordering::SeqCst);
    }

    fn call<'a, T: Send + 'a>(
        &'a self,
        call: BoxFuture<'a, Result<T, StoreError>>,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        Box::pin(async move {
            spend(&self.0.failures)?;
            let result = call.await;
            match self.0.millis.load(Ordering::SeqCst) {
                0 => {}
                u64::MAX => std::future::pending().await,
                millis => tokio::time::sleep(Duration::from_millis(millis)).await,
            }
            result
        })
    }
}

impl Remote {
    async fn wait_in_queue(&self) {
        match self.queue.load(Ordering::SeqCst) {
            0 => {}
            millis => tokio::time::sleep(Duration::from_millis(millis)).await,
        }
    }

    fn shortened(&self, record: Arc<Record>) -> Arc<Record> {
        match (record.status, self.life.load(Ordering::SeqCst)) {
            (TaskStatus::InputRequired, life) if life > 0 => Arc::new(Record {
                ttl: record.updated.0 - record.created.0 + life,
                ..Record::clone(&record)
            }),
            _ => record,
        }
    }

    fn change_delay(&self, status: TaskStatus) -> Option<Duration> {
        let mut late = lock(&self.late_change);
        late.take_if(|(which, _)| *which == status)
            .map(|(_, time)| time)
    }

    fn read_delay(&self) -> Option<Duration> {
        let mut late = lock(&self.late_read);
        if let Some((reads, _)) = late.as_mut().filter(|(reads, _)| *reads > 0) {
            *reads -= 1;
            return None;
        }
        late.take().map(|(_, time)| time)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no panic while it is locked")
}

/// Fails as long as there are failures to come.
fn spend(failures: &AtomicU32) -> Result<(), StoreError> {
    let less = failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
        left.checked_sub(1)
    });
    match less {
        Ok(_) => Err(StoreError("the wire is cut".into())),
        Err(_) => Ok(()),
    }
}

impl TaskStore for RemoteStore {
    fn insert(&self, record: Arc<Record>) -> BoxFuture<'_, Result<(), StoreError>> {
        self.call(self.0.inner.insert(record))
    }

    fn get<'a>(&'a self, id: &'a TaskId) -> BoxFuture<'a, Result<Option<Arc<Record>>, StoreError>> {
        self.call(Box::pin(async move {
            spend(&self.0.unread)?;
            if let Some(time) = self.0.read_delay() {
                tokio::time::sleep(time).await;
            }
            self.0.inner.get(id).await
        }))
    }

    fn swap(&self, expected: Version, new: Arc<Record>) -> BoxFuture<'_, Result<Swap, StoreError>> {
        self.call(Box::pin(async move {
            self.0.wait_in_queue().await;
            let status = new.status;
            let swapped = self.0.inner.swap(expected, self.0.shortened(new)).await;
            if let Some(time) = self.0.change_delay(status) {
                tokio::time::sleep(time).await;
            }
            swapped
        }))
    }

    fn list<'a>(
        &'a self,
        owner: &'a Owner,
        after: Option<&'a TaskId>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Arc<Record>>, StoreError>> {
        self.0.inner.list(owner, after, limit)
    }

    fn take_expired(
        &self,
        now: Millis,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Arc<Record>>, StoreError>> {
        Box::pin(async move {
            self.0.wait_in_queue().await;
            self.0.inner.take_expired(now, limit).await
        })
    }

    fn next_deadline(&self) -> BoxFuture<'_, Result<Option<Millis>, StoreError>> {
        self.0.inner.next_deadline()
    }

    fn changes(&self, after: Cursor) -> BoxFuture<'_, Result<Changes, StoreError>> {
        self.0.inner.changes(after)
    }
}
