//! A task as clients see it, before a dialect renders it.

use std::fmt;
use std::sync::Arc;

use super::clock::Millis;
use super::error::RpcError;
use super::input::InputRequest;
use super::result::CallOutput;

/// A task's id: 128 random bits in hexadecimal, made by the server. Of a task of the SEP-1686 draft, those of its
/// session, a colon, and what its client calls it.
///
/// [`Context::task_id`](crate::Context::task_id) gives that of a running call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId(Arc<str>);

impl TaskId {
    /// An id as a client or a store spells it.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self(id.into())
    }

    /// The id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::borrow::Borrow<str> for TaskId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// Where a task stands. The wires derive their own word from this and the outcome:
/// [what reaches whom](crate::guide::what_reaches_whom), [tasks](crate::guide::tasks).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TaskStatus {
    /// Exists; its body has not started.
    Created,
    /// Its body runs.
    Working,
    /// Its body waits for at least one answer.
    InputRequired,
    /// Ended with a result, which may say `isError`.
    Completed,
    /// Ended with a JSON-RPC error.
    Failed,
    /// Ended by cancellation.
    Cancelled,
}

impl TaskStatus {
    /// Whether no event can change this any more.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// How a task ended, where it ended with something to hand over.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The tool's result, `isError` or not.
    Result(Arc<CallOutput>),
    /// A JSON-RPC error in place of a result.
    Error(Arc<RpcError>),
}

/// Everything a dialect may show of a task at one moment.
#[derive(Clone, Debug)]
pub(crate) struct TaskSnapshot<'a> {
    pub(crate) id: &'a TaskId,
    pub(crate) status: TaskStatus,
    pub(crate) message: Option<&'a str>,
    pub(crate) created: Millis,
    pub(crate) updated: Millis,
    /// Milliseconds from creation until the task may be forgotten; `None` is for ever.
    pub(crate) ttl: Option<u64>,
    /// Milliseconds that it is kept after its end.
    pub(crate) keep: u64,
    pub(crate) poll_interval: u64,
    /// Every question that waits for an answer, in the order asked.
    pub(crate) inputs: Vec<(&'a str, &'a InputRequest)>,
    pub(crate) outcome: Option<&'a Outcome>,
}
