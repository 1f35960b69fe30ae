//! The sleeper: one timer for the earliest deadline of all tasks.

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::yield_now;
use tokio::time::{sleep, sleep_until};

use crate::model::clock::{Clock, Millis};

use super::limits::Ledger;
use super::record::Record;
use super::store::{StoreError, TaskStore};
use crate::model::concurrency::lock;

/// How long to leave a store alone that could not give up its expired records.
const RETRY: Duration = Duration::from_secs(1);

/// Records taken out of the store at a time.
const BATCH: usize = 256;

/// What a sleeper sleeps for, known to those who make deadlines.
#[derive(Debug)]
pub(super) struct Alarm {
    /// Milliseconds; an earlier deadline than this must wake the sleeper.
    target: AtomicU64,
    earlier: Notify,
}

impl Alarm {
    pub(super) fn new() -> Self {
        Self {
            target: AtomicU64::new(u64::MAX),
            earlier: Notify::new(),
        }
    }

    /// Tells the sleeper of a deadline that is in the store.
    pub(super) fn announce(&self, deadline: Millis) {
        if deadline.0 < self.target.load(Ordering::SeqCst) {
            self.earlier.notify_one();
        }
    }

    /// Any deadline wakes the sleeper until it has chosen its next target: what comes into the
    /// store after it has looked there is announced.
    fn wake_on_any(&self) {
        self.target.store(u64::MAX, Ordering::SeqCst);
    }

    /// Waits for `deadline`, or for an earlier one.
    async fn sleep_until(&self, deadline: Option<Millis>, clock: Clock) {
        let Some(deadline) = deadline else {
            return self.earlier.notified().await;
        };
        self.target.store(deadline.0, Ordering::SeqCst);
        tokio::select! {
            () = sleep_until(clock.instant(deadline)) => {}
            () = self.earlier.notified() => {}
        }
    }
}

/// Takes expired records out of the store and keeps the ledger true.
pub(super) struct Sweeper {
    pub(super) store: Arc<dyn TaskStore>,
    pub(super) ledger: Arc<Mutex<Ledger>>,
    pub(super) clock: Clock,
}

impl Sweeper {
    /// Sweeps whenever a deadline passes, for ever.
    pub(super) async fn run(self, alarm: Arc<Alarm>) {
        loop {
            alarm.wake_on_any();
            match self.sweep(self.clock.now()).await {
                Ok(next) => alarm.sleep_until(next, self.clock).await,
                Err(error) => {
                    tracing::warn!(%error, "expired tasks cannot be removed");
                    sleep(RETRY).await;
                }
            }
        }
    }

    /// Removes what expires at `now` or before; the next deadline. Whoever watches one of those
    /// tasks learns of it from the store's feed.
    pub(super) async fn sweep(&self, now: Millis) -> Result<Option<Millis>, StoreError> {
        loop {
            let taken = self.store.take_expired(now, BATCH).await?;
            self.note_expired(&taken, now);
            if taken.len() < BATCH {
                return self.store.next_deadline().await;
            }
            yield_now().await;
        }
    }

    fn note_expired(&self, taken: &[Arc<Record>], now: Millis) {
        let mut ledger = lock(&self.ledger);
        for record in taken {
            if record.is_deleted() {
                ledger.delete(&record.id);
            } else {
                ledger.expire(&record.id, &record.owner, now);
            }
        }
    }
}
