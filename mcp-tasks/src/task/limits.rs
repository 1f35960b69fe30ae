//! How many tasks this process holds and how much they weigh, each counted exactly once; and which
//! ones went lately.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroUsize;
use std::time::Duration;

use crate::model::clock::Millis;
use crate::model::principal::{Owner, Principal};
use crate::model::task::TaskId;

/// How much the engine holds.
#[derive(Clone, Debug)]
pub(crate) struct EngineLimits {
    /// Tasks that have not ended, of all owners.
    pub(crate) live: usize,
    /// Tasks that have not ended, of one authenticated caller.
    pub(crate) live_per_principal: usize,
    /// Bytes of ended tasks.
    pub(crate) kept_bytes: usize,
    /// The longest a client may have a task kept.
    pub(crate) max_keep: Duration,
}

/// What the engine's tables hold.
#[cfg(any(test, feature = "testing"))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EngineCounts {
    /// Tasks that have not ended.
    pub(crate) live: usize,
    /// Ended tasks that are kept.
    pub(crate) kept: usize,
    /// Bytes those hold.
    pub(crate) kept_bytes: usize,
    /// Registered watches.
    pub(crate) watches: usize,
}

/// Bytes that an ended task takes beside its outcome: the record and its lines in the tables.
pub(crate) const RECORD_BYTES: usize = 1024;

/// Expired ids that are remembered at most.
pub(crate) const REMEMBERED: usize = 10_000;

/// How long an expired id is remembered at most.
pub(crate) const REMEMBERED_FOR: Duration = Duration::from_secs(3600);

/// Which limit a new task would break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// Too many tasks run.
    Live,
    /// Ended tasks fill the room for results.
    Kept,
}

/// Why a new task is not taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotOpened {
    Full(Full),
    /// There is a task of this id.
    Taken,
}

/// One line for each task of this process, from its making until it is forgotten.
///
/// A line moves live → kept → gone and never back, so that it does not matter how often or by whom
/// an end or an expiry is reported. Tasks that other processes made in the same store have no line
/// here.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    lines: HashMap<TaskId, Line>,
    live: usize,
    live_per_principal: HashMap<Principal, usize>,
    kept_bytes: usize,
    expired: Expired,
}

#[derive(Debug)]
struct Line {
    /// `None` where there is but one owner, the process.
    owner: Option<Box<Owner>>,
    /// Bytes of an ended task; `None` while it lives.
    kept: Option<NonZeroUsize>,
}

impl Line {
    fn of(owner: &Owner) -> Self {
        let owner = (*owner != Owner::Process).then(|| Box::new(owner.clone()));
        Self { owner, kept: None }
    }

    fn owner(&self) -> &Owner {
        self.owner.as_deref().unwrap_or(&Owner::Process)
    }
}

impl Ledger {
    /// Takes up a new task, if there is room for it.
    pub(crate) fn open(
        &mut self,
        id: &TaskId,
        owner: &Owner,
        limits: &EngineLimits,
    ) -> Result<(), NotOpened> {
        if self.lines.contains_key(id) {
            return Err(NotOpened::Taken);
        }
        let principal = owner.principal();
        let of_principal = principal.and_then(|principal| self.live_per_principal.get(principal));
        let of_principal = of_principal.copied().unwrap_or(0);
        if self.live >= limits.live || of_principal >= limits.live_per_principal {
            return Err(NotOpened::Full(Full::Live));
        }
        if self.kept_bytes >= limits.kept_bytes {
            return Err(NotOpened::Full(Full::Kept));
        }
        self.lines.insert(id.clone(), Line::of(owner));
        self.live += 1;
        if let Some(principal) = principal {
            *self
                .live_per_principal
                .entry(principal.clone())
                .or_default() += 1;
        }
        Ok(())
    }

    /// The task has ended and `size` bytes of it are kept.
    pub(crate) fn end(&mut self, id: &TaskId, size: usize) {
        let Some(line) = self.lines.get_mut(id).filter(|line| line.kept.is_none()) else {
            return;
        };
        let bytes = size.saturating_add(RECORD_BYTES);
        line.kept = NonZeroUsize::new(bytes);
        let owner = line.owner().clone();
        self.kept_bytes = self.kept_bytes.saturating_add(bytes);
        self.no_longer_live(&owner);
    }

    /// The ended task was deleted. Once it is out of the store its id may be another's, which lives.
    pub(crate) fn delete(&mut self, id: &TaskId) {
        if self.lines.get(id).is_some_and(|line| line.kept.is_some()) {
            self.revoke(id);
        }
    }

    /// The task was never put into the store, or is deleted.
    pub(crate) fn revoke(&mut self, id: &TaskId) {
        let Some(line) = self.lines.remove(id) else {
            return;
        };
        match line.kept {
            Some(bytes) => self.kept_bytes = self.kept_bytes.saturating_sub(bytes.get()),
            None => self.no_longer_live(line.owner()),
        }
    }

    /// The task's time was up and it is out of the store; its owner may be told so for a while.
    pub(crate) fn expire(&mut self, id: &TaskId, owner: &Owner, now: Millis) {
        self.revoke(id);
        self.expired.push(id.clone(), owner.clone(), now);
    }

    /// Whether a task that the store no longer has was this owner's until lately.
    pub(crate) fn has_expired(&self, owner: &Owner, id: &TaskId, now: Millis) -> bool {
        // A line without a record is a task just taken out of the store, on its way to the expired
        // ones.
        let line = self.lines.get(id).is_some_and(|line| line.owner() == owner);
        line || self.expired.has(owner, id, now)
    }

    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn counts(&self) -> EngineCounts {
        EngineCounts {
            live: self.live,
            kept: self.lines.len() - self.live,
            kept_bytes: self.kept_bytes,
            watches: 0,
        }
    }

    fn no_longer_live(&mut self, owner: &Owner) {
        self.live -= 1;
        if let Some(principal) = owner.principal()
            && let Some(count) = self.live_per_principal.get_mut(principal)
        {
            *count -= 1;
            if *count == 0 {
                self.live_per_principal.remove(principal);
            }
        }
    }
}

/// The ids that expired last, with their owners, in order of their going.
#[derive(Debug, Default)]
struct Expired {
    order: VecDeque<(Millis, TaskId)>,
    owners: HashMap<TaskId, (Owner, Millis)>,
}

impl Expired {
    fn push(&mut self, id: TaskId, owner: Owner, now: Millis) {
        while self.order.len() >= REMEMBERED
            || self.order.front().is_some_and(|(at, _)| is_past(*at, now))
        {
            if let Some((_, oldest)) = self.order.pop_front() {
                self.owners.remove(&oldest);
            }
        }
        self.owners.insert(id.clone(), (owner, now));
        self.order.push_back((now, id));
    }

    fn has(&self, owner: &Owner, id: &TaskId, now: Millis) -> bool {
        self.owners
            .get(id)
            .is_some_and(|(whose, at)| whose == owner && !is_past(*at, now))
    }
}

fn is_past(expired: Millis, now: Millis) -> bool {
    now.since(expired) >= REMEMBERED_FOR
}
