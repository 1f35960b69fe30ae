//! The metadata that relates a message to its task.

use super::draft;
use crate::model::task::TaskId;

/// The task that a message belongs to, in the words of the task's dialect.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Related<'a> {
    /// 2025-11-25 tasks, "Related Task Metadata".
    Core(&'a TaskId),
    /// SEP-1686, which relates every message of a task.
    Draft(&'a TaskId),
}

impl Related<'_> {
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Core(_) => "io.modelcontextprotocol/related-task",
            Self::Draft(_) => "modelcontextprotocol.io/related-task",
        }
    }

    pub(super) fn task_id(&self) -> &str {
        match self {
            Self::Core(id) => id.as_str(),
            Self::Draft(id) => draft::name(id),
        }
    }
}
