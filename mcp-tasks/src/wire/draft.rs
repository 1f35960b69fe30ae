//! The draft of SEP-1686, from which the core tasks came: metadata on an ordinary request, which gets its ordinary
//! response as well.

use serde_json::value::RawValue;

use super::Frame;
use super::envelope::RequestId;
use super::params::{given, ill_typed, members, required, string};
use super::related::Related;
use super::task::message;
use super::write::{Object, notification, response};
use crate::model::error::RpcError;
use crate::model::task::{TaskId, TaskSnapshot, TaskStatus};

/// The key of a request's `_meta` that makes it a task.
const TASK: &str = "_meta[\"modelcontextprotocol.io/task\"]";

/// Bytes of a task's name: the client chooses it, and the server keeps it.
const NAME_BYTES: usize = 256;

/// Between the session's part of an id and the client's. No id of the other dialects has one.
const SEPARATOR: char = ':';

/// What a request says of the task that it is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewTask {
    /// What the client calls it.
    pub(crate) name: String,
    /// Milliseconds after its end; `None` is no wish.
    pub(crate) keep_alive: Option<u64>,
}

impl NewTask {
    pub(crate) fn read(raw: &RawValue) -> Result<Self, RpcError> {
        let [id, keep] = members(raw, TASK, ["taskId", "keepAlive"])?;
        let field = format!("{TASK}.taskId");
        let name = string(required(id, &field)?, &field)?.into_owned();
        if name.is_empty() || name.len() > NAME_BYTES {
            let expected = format!("a string of 1 to {NAME_BYTES} bytes");
            return Err(ill_typed(&field, &expected));
        }
        let keep_alive = given(keep).map(keep_alive).transpose()?;
        Ok(Self { name, keep_alive })
    }
}

fn keep_alive(raw: &RawValue) -> Result<u64, RpcError> {
    let digits = raw.get();
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(digits.parse().unwrap_or(u64::MAX))
    } else {
        let field = format!("{TASK}.keepAlive");
        Err(ill_typed(&field, "a whole number of milliseconds, or null"))
    }
}

/// The id of the task that a client calls `name`, in the name space of its session.
pub(crate) fn id(session: &str, name: &str) -> TaskId {
    TaskId::new(format!("{session}{SEPARATOR}{name}"))
}

/// Whether an id names a task of this dialect.
pub(crate) fn is_draft(id: &TaskId) -> bool {
    id.as_str().contains(SEPARATOR)
}

/// What its client calls a task.
pub(super) fn name(id: &TaskId) -> &str {
    let id = id.as_str();
    id.split_once(SEPARATOR).map_or(id, |(_, name)| name)
}

/// `notifications/tasks/created`, which precedes every other message of the task.
pub(crate) fn created(task: &TaskId) -> Frame {
    notification("notifications/tasks/created", |params| {
        params.related_meta(None, Some(Related::Draft(task)));
    })
}

/// The answer to `tasks/get`.
pub(crate) fn task(id: &RequestId, task: &TaskSnapshot<'_>) -> Frame {
    response(id, |result| {
        fields(result, task);
        result.related_meta(None, Some(Related::Draft(task.id)));
    })
}

/// What `tasks/get` and `tasks/list` tell of a task.
pub(super) fn fields(object: &mut Object<'_>, task: &TaskSnapshot<'_>) {
    object.text("taskId", name(task.id));
    object.text("status", status(task.status));
    object.integer("keepAlive", task.keep);
    object.integer("pollFrequency", task.poll_interval);
    if task.status == TaskStatus::Failed {
        object.optional_text("error", message(task).as_deref());
    }
}

/// The answer to `tasks/delete`.
pub(crate) fn deleted(id: &RequestId, task: &TaskId) -> Frame {
    response(id, |result| {
        result.related_meta(None, Some(Related::Draft(task)));
    })
}

/// Why there is no result to give (SEP-1686, "Result Retrieval").
pub(crate) fn no_result(status_now: TaskStatus) -> RpcError {
    let status = status(status_now);
    RpcError::invalid_params(format!(
        "Cannot retrieve result: Task status is '{status}', not 'completed'"
    ))
}

/// Why a task is not deleted: nothing would hear of its end.
pub(crate) fn not_deleted(status_now: TaskStatus) -> RpcError {
    let status = status(status_now);
    RpcError::invalid_params(format!(
        "Cannot delete task: Task status is '{status}', and it has to end first"
    ))
}

/// Why a task is not made.
pub(crate) fn already_exists(task: &TaskId) -> RpcError {
    RpcError::invalid_params(format!("Task ID already exists: {}", name(task)))
}

fn status(status: TaskStatus) -> &'static str {
    match status {
        TaskStatus::Created => "submitted",
        TaskStatus::Working => "working",
        TaskStatus::InputRequired => "input_required",
        TaskStatus::Completed => "completed",
        TaskStatus::Failed => "failed",
        TaskStatus::Cancelled => "cancelled",
    }
}

#[cfg(test)]
mod tests;
