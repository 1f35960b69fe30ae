//! When to look at a task again, and when to stop looking.

use std::time::Duration;

use tokio::time::Instant;

use crate::client::error::ClientError;
use crate::model::clock::from_now;
use crate::model::error::RpcError;
use crate::model::remote::Task;

/// Between two looks where the server names no interval.
const INTERVAL: Duration = Duration::from_secs(1);
/// A server that names less is not taken at its word.
const LEAST: Duration = Duration::from_millis(10);
/// What the interval grows to where the server names none and nothing changes.
const UNCHANGED: Duration = Duration::from_secs(10);
/// Between two looks at a task whose changes are told: in case one is not.
const SUBSCRIBED: Duration = Duration::from_secs(30);
/// What the interval grows to while looking fails.
const FAILING: Duration = Duration::from_secs(30);
/// How long a server that wants to be left alone is believed.
const BUSY: Duration = Duration::from_secs(3600);
/// How long the answer to the last look may take, at least.
const LAST_LOOK: Duration = Duration::from_secs(5);
/// How often in a row looking may fail.
const FAILURES: u32 = 8;

pub(super) struct Pace {
    begun: Instant,
    next: Instant,
    /// The server may forget the task from then on.
    kept_until: Option<Instant>,
    interval: Duration,
    /// The server named the interval.
    named: bool,
    /// The interval while nothing changes and none is named.
    idle: Duration,
    last: Option<Task>,
    subscribed: bool,
    failures: u32,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self {
            begun: Instant::now(),
            next: Instant::now(),
            kept_until: None,
            interval: INTERVAL,
            named: false,
            idle: INTERVAL,
            last: None,
            subscribed: false,
            failures: 0,
        }
    }

    /// A state has been seen.
    pub(super) fn seen(&mut self, task: &Task) {
        self.failures = 0;
        self.named = task.poll_interval.is_some();
        self.interval = task.poll_interval.unwrap_or(INTERVAL).max(LEAST);
        self.idle = if self.last.as_ref() == Some(task) {
            (self.idle.mul_f64(1.5)).min(UNCHANGED)
        } else {
            INTERVAL
        };
        self.last = Some(task.clone());
        self.kept_until = task.ttl.and_then(|ttl| self.begun.checked_add(ttl));
        self.plan();
    }

    /// The next look is due.
    pub(super) fn now(&mut self) {
        self.next = Instant::now();
    }

    /// Changes will be told.
    pub(super) fn subscribed(&mut self) {
        self.subscribed = true;
        self.plan();
    }

    /// They will be no more.
    pub(super) fn unsubscribed(&mut self) {
        if std::mem::take(&mut self.subscribed) {
            self.plan();
        }
    }

    /// The next look is due in an interval.
    pub(super) fn plan(&mut self) {
        let wait = match (self.subscribed, self.named) {
            (true, _) => self.interval.max(SUBSCRIBED),
            (false, true) => self.interval,
            (false, false) => self.idle,
        };
        self.next = self.at_last(from_now(wait));
    }

    /// No look is due beyond the time for which the task is kept, without one at its end.
    fn at_last(&self, next: Instant) -> Instant {
        match self.kept_until {
            Some(end) if end > Instant::now() => next.min(end),
            _ => next,
        }
    }

    /// Looking has failed, which passes or does not.
    pub(super) fn failed(&mut self, error: ClientError) -> Result<(), ClientError> {
        let passes = error.is_transient()
            || error
                .rpc()
                .is_some_and(|error| error.code == RpcError::INTERNAL);
        if !passes || self.failures >= FAILURES {
            return Err(error);
        }
        self.failures += 1;
        let wait = self.interval.saturating_mul(1 << self.failures);
        let asked = error.retry_after().unwrap_or_default().min(BUSY);
        let wait = wait.min(FAILING).max(asked);
        tracing::warn!("{error}; looking again in {wait:?}");
        self.next = self.at_last(from_now(wait));
        Ok(())
    }

    /// Resolves when it is time to look.
    pub(super) async fn wait(&self) {
        tokio::time::sleep_until(self.next).await;
    }

    /// Resolves when the task's time is over; `looking` is whether a look is under way, whose answer may still tell.
    pub(super) async fn over(&self, looking: bool) {
        let Some(end) = self.kept_until else {
            return std::future::pending().await;
        };
        let interval = self.interval.min(FAILING);
        let more = if looking {
            interval.max(LAST_LOOK)
        } else {
            interval
        };
        tokio::time::sleep_until(end + more).await;
    }
}
