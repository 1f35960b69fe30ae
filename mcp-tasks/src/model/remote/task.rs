//! A task as its server tells of it.

use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::model::task::TaskId;

/// Where a task stands, in any revision's words. [`Client::list_tasks`](crate::client::Client::list_tasks) has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// Taken, not begun (the SEP-1686 draft alone).
    Submitted,
    /// Under way.
    Working,
    /// Waits for at least one answer of the client's.
    InputRequired,
    /// Ended with a result.
    Completed,
    /// Ended with an error; on 2025-11-25 also with a result that has `isError`.
    Failed,
    /// Ended because somebody cancelled it.
    Cancelled,
    /// Ended, and nobody knows how (the SEP-1686 draft alone).
    Unknown,
}

impl Status {
    const ALL: [(Self, &'static str); 7] = [
        (Self::Submitted, "submitted"),
        (Self::Working, "working"),
        (Self::InputRequired, "input_required"),
        (Self::Completed, "completed"),
        (Self::Failed, "failed"),
        (Self::Cancelled, "cancelled"),
        (Self::Unknown, "unknown"),
    ];

    /// The status's name on the wire.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Whether it can change no more.
    pub fn is_terminal(self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Failed | Self::Cancelled | Self::Unknown
        )
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        let known = Self::ALL.iter().find(|(_, known)| *known == name);
        known.map(|(status, _)| *status)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A task at one moment. [`Client::list_tasks`](crate::client::Client::list_tasks) has an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Task {
    /// Its id. Whoever has it may have the task: keep it like a password where the server knows no users.
    pub id: TaskId,
    /// Where it stands.
    pub status: Status,
    /// What it is doing, in words for people; of a failed one, why.
    pub message: Option<String>,
    /// How long after its creation the server may forget it (the draft: after its end); `None` for ever.
    pub ttl: Option<Duration>,
    /// How long the server asks to be left alone between two looks.
    pub poll_interval: Option<Duration>,
    pub(crate) json: Map<String, Value>,
}

impl Task {
    /// The task as it came, with the times of its creation and last change, but without result and questions.
    pub fn json(&self) -> &Map<String, Value> {
        &self.json
    }
}
