//! Whoever has an event submits it here: read, apply, compare-and-swap, again on conflict.

#[cfg(test)]
mod tests;

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::model::clock::{Clock, as_millis};
use crate::model::principal::Owner;
use crate::model::task::{Outcome, TaskId, TaskStatus};

use super::apply::apply;
use super::background::Background;
use super::expiry::Sweeper;
use super::limits::{Full, Ledger, NotOpened};
use super::record::{Dialect, Event, Record, Rejected};
use super::store::{StoreError, Swap, TaskStore};
use super::watch::{Runners, Watches};
use crate::model::concurrency::lock;

#[cfg(any(test, feature = "testing"))]
pub(crate) use super::limits::EngineCounts;
pub(crate) use super::limits::EngineLimits;
pub(crate) use super::watch::Watch;

/// When to ask again after a limit, at the earliest and the latest, in milliseconds.
const RETRY_AFTER: (u64, u64) = (1_000, 60_000);

/// A task to be made.
#[derive(Debug)]
pub(crate) struct NewTask {
    /// The client's choice; `None` for one of the server's own making.
    pub(crate) id: Option<TaskId>,
    pub(crate) owner: Owner,
    pub(crate) dialect: Dialect,
    pub(crate) tool: Arc<str>,
    pub(crate) poll_interval: Duration,
    pub(crate) keep: Duration,
    pub(crate) wish: Option<Duration>,
    pub(crate) run_budget: Duration,
    pub(crate) message: Option<Arc<str>>,
}

/// Why no task was made.
#[derive(Debug)]
pub(crate) enum CreateError {
    /// A limit is reached; try again after this many milliseconds.
    TooMany {
        retry_after: u64,
    },
    /// There is a task of this id.
    Taken(TaskId),
    Store(StoreError),
}

/// Why there is no such task for this caller.
#[derive(Debug)]
pub(crate) enum LookupError {
    /// Never was, is somebody else's, or is forgotten.
    Unknown,
    /// Was the caller's and has expired a short while ago.
    Expired,
    Store(StoreError),
}

/// Why an event did not move a task.
#[derive(Debug)]
pub(crate) enum SubmitError {
    /// No such record any more.
    Gone,
    /// The rules forbid it; here is the record as it stands.
    Rejected(Rejected, Arc<Record>),
    Store(StoreError),
}

/// The task engine.
pub(crate) struct Engine {
    store: Arc<dyn TaskStore>,
    clock: Clock,
    limits: EngineLimits,
    /// This process, as the records that it runs name it.
    runner: Arc<str>,
    ledger: Arc<Mutex<Ledger>>,
    watches: Arc<Watches>,
    background: Background,
}

impl Engine {
    /// `runners` hear of changes to the tasks that this process runs.
    pub(crate) fn new(
        store: Arc<dyn TaskStore>,
        clock: Clock,
        limits: EngineLimits,
        runners: Arc<dyn Runners>,
    ) -> Arc<Self> {
        Arc::new(Self {
            store,
            clock,
            limits,
            runner: format!("{:016x}", RandomState::new().hash_one(())).into(),
            ledger: Arc::default(),
            watches: Watches::new(runners),
            background: Background::default(),
        })
    }

    /// Makes sure the change feed and the sleeper run on the current runtime. They end with the
    /// engine. Panics outside a runtime.
    pub(crate) fn start(self: &Arc<Self>) {
        self.background.start(
            Arc::clone(&self.store),
            Arc::clone(&self.watches),
            self.sweeper(),
        );
    }

    /// Makes a task, under a new id if it brings none, unless a limit is reached.
    pub(crate) async fn create(&self, new: NewTask) -> Result<Arc<Record>, CreateError> {
        let id = match &new.id {
            Some(id) => id.clone(),
            None => new_id().map_err(CreateError::Store)?,
        };
        let opened = lock(&self.ledger).open(&id, &new.owner, &self.limits);
        match opened {
            Ok(()) => {}
            Err(NotOpened::Taken) => return Err(CreateError::Taken(id)),
            Err(NotOpened::Full(full)) => {
                return Err(CreateError::TooMany {
                    retry_after: self.retry_after(full).await,
                });
            }
        }
        let unsaved = Unsaved {
            ledger: &self.ledger,
            id: Some(&id),
        };
        let record = Arc::new(self.first_version(id.clone(), new));
        if let Err(error) = self.store.insert(Arc::clone(&record)).await {
            return Err(self.not_inserted(id.clone(), error).await);
        }
        unsaved.saved();
        self.background.announce(record.expires());
        let Record {
            id, tool, owner, ..
        } = &*record;
        tracing::debug!(task = %id, %tool, ?owner, "task created");
        Ok(record)
    }

    /// A task that is deleted, or that another process made, has no line in the ledger, and yet its id.
    async fn not_inserted(&self, id: TaskId, error: StoreError) -> CreateError {
        match self.store.get(&id).await {
            Ok(Some(_)) => CreateError::Taken(id),
            Ok(None) | Err(_) => CreateError::Store(error),
        }
    }

    /// The caller's task. Somebody else's is answered as one that never was.
    pub(crate) async fn get(&self, owner: &Owner, id: &TaskId) -> Result<Arc<Record>, LookupError> {
        let record = self.store.get(id).await.map_err(LookupError::Store)?;
        let now = self.clock.now();
        match record {
            Some(record) if record.owner != *owner || record.is_deleted() => {
                Err(LookupError::Unknown)
            }
            // The sleeper may not have come round yet.
            Some(record) if record.expires() <= now => Err(LookupError::Expired),
            Some(record) => Ok(record),
            None if lock(&self.ledger).has_expired(owner, id, now) => Err(LookupError::Expired),
            None => Err(LookupError::Unknown),
        }
    }

    /// Applies `event` to the task, whoever owns it; a conflict reads and applies again.
    pub(crate) async fn submit(
        &self,
        id: &TaskId,
        event: Event,
    ) -> Result<Arc<Record>, SubmitError> {
        let mut record = self
            .store
            .get(id)
            .await
            .map_err(SubmitError::Store)?
            .ok_or(SubmitError::Gone)?;
        loop {
            let now = self.clock.now();
            if record.expires() <= now {
                return Err(SubmitError::Gone);
            }
            let next = match apply(&record, &event, now) {
                Ok(next) => Arc::new(next),
                Err(why) => {
                    self.note_end(&record);
                    return Err(SubmitError::Rejected(why, record));
                }
            };
            match self
                .store
                .swap(record.version, Arc::clone(&next))
                .await
                .map_err(SubmitError::Store)?
            {
                Swap::Done => {
                    self.moved(&next);
                    return Ok(next);
                }
                Swap::Conflict(current) => record = current,
                Swap::Gone => return Err(SubmitError::Gone),
            }
        }
    }

    /// Whether the task is out of the store. One whose time is up may still be there, and an answer that was in
    /// time may yet keep it there: its runner goes by this alone.
    pub(crate) async fn is_gone(&self, id: &TaskId) -> Result<bool, StoreError> {
        Ok(self.store.get(id).await?.is_none())
    }

    /// Whether a task that was deleted is out of the store. Its id may be another's by now.
    pub(crate) async fn is_forgotten(&self, id: &TaskId) -> Result<bool, StoreError> {
        let record = self.store.get(id).await?;
        Ok(record.is_none_or(|record| !record.is_deleted()))
    }

    /// The caller's tasks in order of creation, after `after`, at most `limit`; fewer only at the
    /// end.
    pub(crate) async fn list(
        &self,
        owner: &Owner,
        after: Option<&TaskId>,
        limit: usize,
    ) -> Result<Vec<Arc<Record>>, StoreError> {
        // Callers who cannot be told apart must not learn each other's ids: 2025-11-25 tasks, "Task
        // Isolation and Access Control".
        if *owner == Owner::Bearer {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        let mut after = after.cloned();
        loop {
            let wanted = limit - found.len();
            let page = self.store.list(owner, after.as_ref(), wanted).await?;
            let is_last = page.len() < wanted;
            after = page.last().map(|record| record.id.clone());
            let now = self.clock.now();
            found.extend(page.into_iter().filter(|record| record.expires() > now));
            if is_last || found.len() == limit {
                return Ok(found);
            }
        }
    }

    /// Whether this process runs the task.
    pub(crate) fn runs(&self, record: &Record) -> bool {
        record.runner == self.runner
    }

    /// Registers for wakes on `id`; read the record after this, never before.
    pub(crate) fn watch(&self, id: &TaskId) -> Watch {
        self.watches.register(id)
    }

    /// Wakes whoever watches `id` in this process: something beside its record has changed.
    pub(crate) fn wake(&self, id: &TaskId) {
        self.watches.wake(std::slice::from_ref(id));
    }

    /// What the tables hold, to prove that nothing leaks.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn counts(&self) -> EngineCounts {
        EngineCounts {
            watches: self.watches.count(),
            ..lock(&self.ledger).counts()
        }
    }

    fn sweeper(&self) -> Sweeper {
        Sweeper {
            store: Arc::clone(&self.store),
            ledger: Arc::clone(&self.ledger),
            clock: self.clock,
        }
    }

    fn first_version(&self, id: TaskId, new: NewTask) -> Record {
        let now = self.clock.now();
        let max_keep = as_millis(self.limits.max_keep);
        let keep = as_millis(new.keep).min(max_keep);
        let run_budget = as_millis(new.run_budget);
        Record {
            id,
            version: 1,
            owner: new.owner,
            dialect: new.dialect,
            tool: new.tool,
            status: TaskStatus::Created,
            message: new.message,
            created: now,
            updated: now,
            ended: None,
            poll_interval: as_millis(new.poll_interval),
            keep,
            wish: new.wish.map(|wish| as_millis(wish).min(max_keep)),
            run_budget,
            ran: 0,
            running_since: None,
            ttl: run_budget.saturating_add(keep).max(1),
            inputs: Vec::new(),
            cancel: None,
            outcome: None,
            runner: Arc::clone(&self.runner),
            heartbeat: now,
        }
    }

    fn moved(&self, record: &Record) {
        self.background.announce(record.expires());
        if record.is_deleted() {
            // Its end may yet have to be told of, by a runner that is still to hear that it is written down.
            lock(&self.ledger).revoke(&record.id);
        } else if record.status.is_terminal() {
            self.note_end(record);
            let Record {
                id, tool, owner, ..
            } = record;
            let outcome = outcome_name(record);
            tracing::debug!(task = %id, %tool, ?owner, outcome, "task ended");
        }
    }

    /// Whoever sees an ended record says so to the ledger, which counts each once. A submit that
    /// was dropped after its swap, or one in another process, is made up for by the runner's own.
    fn note_end(&self, record: &Record) {
        if record.status.is_terminal() {
            lock(&self.ledger).end(&record.id, record.size());
        }
    }

    /// Milliseconds until there may be room again: a guess while tasks run, else when the next kept
    /// one goes.
    async fn retry_after(&self, full: Full) -> u64 {
        let (least, most) = RETRY_AFTER;
        match full {
            Full::Live => least,
            Full::Kept => match self.store.next_deadline().await {
                Ok(Some(at)) => as_millis(at.since(self.clock.now())).clamp(least, most),
                Ok(None) | Err(_) => least,
            },
        }
    }
}

/// Takes a task's line out of the ledger again unless its record got into the store.
struct Unsaved<'a> {
    ledger: &'a Mutex<Ledger>,
    id: Option<&'a TaskId>,
}

impl Unsaved<'_> {
    fn saved(mut self) {
        self.id = None;
    }
}

impl Drop for Unsaved<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            lock(self.ledger).revoke(id);
        }
    }
}

/// 128 random bits: where nobody is authenticated the id is the key.
fn new_id() -> Result<TaskId, StoreError> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|error| StoreError(error.to_string().into()))?;
    Ok(TaskId::new(format!("{:032x}", u128::from_ne_bytes(bits))))
}

fn outcome_name(record: &Record) -> &'static str {
    match (record.status, &record.outcome) {
        (TaskStatus::Completed, Some(Outcome::Result(output))) if output.is_error => "error result",
        (TaskStatus::Completed, _) => "completed",
        (TaskStatus::Failed, _) => "failed",
        _ => "cancelled",
    }
}
