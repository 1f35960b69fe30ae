//! A task's record: plain data, changed by `apply` alone.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use crate::model::cancel::CancelReason;
use crate::model::clock::Millis;
use crate::model::input::{InputRequest, InputResponse};
use crate::model::principal::Owner;
use crate::model::task::{Outcome, TaskId, TaskSnapshot, TaskStatus};

use super::store::Version;

/// Which rules a task lives by: those of the wire that created it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// The 2026-07-28 extension: cancellation is a request that the body may outrun.
    Extension,
    /// The 2025-11-25 core tasks: cancellation is immediate and final.
    Core,
    /// The draft of SEP-1686: as the core tasks, under an id of the client's, and it can be deleted.
    Draft,
}

/// A question of a task, from asked to answered or withdrawn.
#[derive(Clone, Debug)]
pub struct Input {
    /// Unique for the task's life.
    pub key: Arc<str>,
    /// Where the question stands.
    pub state: InputState,
}

/// Where a question stands.
#[derive(Clone, Debug)]
pub enum InputState {
    /// Waits for an answer.
    Open(Arc<InputRequest>),
    /// Answered; the runner has yet to hand the answer to the body.
    Answered(Arc<InputResponse>),
    /// Over: answered and handed over, or withdrawn. The key stays used.
    Closed,
}

/// A task, whole. Never changed in place: `apply` makes the next version.
#[derive(Clone, Debug)]
pub struct Record {
    /// The task's id.
    pub id: TaskId,
    /// Counts the versions, from 1.
    pub version: Version,
    /// Whose task this is.
    pub owner: Owner,
    /// Whose rules it lives by.
    pub dialect: Dialect,
    /// The tool's name.
    pub tool: Arc<str>,
    /// Where it stands.
    pub status: TaskStatus,
    /// The latest word on how it goes.
    pub message: Option<Arc<str>>,
    /// When it was made.
    pub created: Millis,
    /// When it last changed in a way that a client can see. Never goes back.
    pub updated: Millis,
    /// When it became terminal.
    pub ended: Option<Millis>,
    /// Milliseconds a client is asked to wait between polls.
    pub poll_interval: u64,
    /// Milliseconds the result is kept after the end.
    pub keep: u64,
    /// Milliseconds from creation for which the client wants it kept, capped at the server's
    /// `max_keep`.
    pub wish: Option<u64>,
    /// Milliseconds of running that the policy allows (`timeout`, else `max_run`).
    pub run_budget: u64,
    /// Milliseconds of running used up before `running_since`.
    pub ran: u64,
    /// Since when it has been running; `None` while it waits: for its start, for answers, or for
    /// its turn to go on with them.
    pub running_since: Option<Millis>,
    /// Milliseconds from creation until it may be forgotten, as reported now.
    pub ttl: u64,
    /// Every question asked so far.
    pub inputs: Vec<Input>,
    /// Set once somebody asked for it to stop.
    pub cancel: Option<CancelReason>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Which process runs it.
    pub runner: Arc<str>,
    /// When that process last said so.
    pub heartbeat: Millis,
}

/// Something that happened to a task. [`apply`](super::apply::apply) says what each one does.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The body starts.
    Start,
    /// The body says how it goes.
    Message(Arc<str>),
    /// The body, started and not told to stop, asks; `wait` is the longest any of the questions
    /// waits, in milliseconds.
    Ask {
        /// Key and question, in order.
        questions: Vec<(Arc<str>, Arc<InputRequest>)>,
        /// Milliseconds.
        wait: u64,
    },
    /// Checked answers arrived. Keys that are not open are ignored.
    Answer(Vec<(Arc<str>, Arc<InputResponse>)>),
    /// The runner handed these answers to the body.
    Delivered(Vec<Arc<str>>),
    /// Nobody waits for these any more.
    Withdraw(Vec<Arc<str>>),
    /// Somebody wants it to stop. Terminal at once for a body that has not started, and for a
    /// `Core` or `Draft` task whose client wants it; otherwise a note to the runner, which then ends the task.
    Cancel(CancelReason),
    /// The body ended with this.
    End(Outcome),
    /// The body ended because it was told to stop; `message` says so for people.
    EndCancelled(Arc<str>),
    /// The runner is alive.
    Heartbeat,
    /// Nobody wants it any more, now that it has ended: it may be forgotten at once.
    Delete,
}

/// Why an event does not move a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejected {
    /// The task has ended.
    Terminal(TaskStatus),
    /// A question's key was used before.
    KeyUsed,
    /// The event would change nothing.
    Unchanged,
    /// No such move from this status.
    Illegal,
}

/// How much longer than it says a task is kept that waits for its turn. The queue is the server's
/// affair, and uses up nothing of the task's time; this is for the day when nobody is left to start
/// it.
const QUEUE: Duration = Duration::from_secs(24 * 3600);

impl Record {
    /// What a dialect may show.
    pub(crate) fn snapshot(&self) -> TaskSnapshot<'_> {
        TaskSnapshot {
            id: &self.id,
            status: self.status,
            message: self.message.as_deref(),
            created: self.created,
            updated: self.updated,
            // A sum that saturated never comes to pass.
            ttl: (self.ttl < u64::MAX).then_some(self.ttl),
            keep: self.keep,
            poll_interval: self.poll_interval,
            inputs: self.open_inputs().collect(),
            outcome: self.outcome.as_ref(),
        }
    }

    /// When it may be forgotten: `ttl` after its creation, a day later while it waits for its turn
    /// to run.
    pub fn expires(&self) -> Millis {
        let expires = self.created.plus(Duration::from_millis(self.ttl));
        let queued = matches!(self.status, TaskStatus::Created | TaskStatus::Working)
            && self.running_since.is_none();
        if queued { expires.plus(QUEUE) } else { expires }
    }

    /// Whether it was deleted: only such a record has no time left from the first.
    pub(crate) fn is_deleted(&self) -> bool {
        self.ended.is_some() && self.ttl == 0
    }

    /// Every question that waits for an answer, in the order asked.
    pub(crate) fn open_inputs(&self) -> impl Iterator<Item = (&str, &InputRequest)> {
        self.inputs.iter().filter_map(|input| match &input.state {
            InputState::Open(request) => Some((&*input.key, &**request)),
            InputState::Answered(_) | InputState::Closed => None,
        })
    }

    /// Bytes of what this record holds beside itself, as the limit on kept results counts them.
    pub(crate) fn size(&self) -> usize {
        let outcome = match &self.outcome {
            Some(Outcome::Result(output)) => output.size(),
            Some(Outcome::Error(error)) => {
                error.message.len() + error.data.as_ref().map_or(0, |data| data.get().len())
            }
            None => 0,
        };
        let keys: usize = self
            .inputs
            .iter()
            .map(|input| input.key.len() + size_of::<Input>())
            .sum();
        outcome + keys + self.message.as_ref().map_or(0, |message| message.len())
    }
}
