//! The core tasks of 2025-11-25.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::envelope::RequestId;
use super::related::Related;
use super::task::{self, Words, error_text, fields, message};
use super::write::{Object, notification, response};
use super::{Frame, Message, Revision, draft, legacy, modern};
use crate::model::task::{Outcome, TaskId, TaskSnapshot};

const WORDS: Words = Words {
    ttl: "ttl",
    poll_interval: "pollInterval",
};

/// What a cursor holds before the id it names.
const CURSOR: &[u8] = b"after:";

/// `CreateTaskResult`: nested, and related to its task by nothing else.
pub(crate) fn create(id: &RequestId, task: &TaskSnapshot<'_>) -> Frame {
    response(id, |result| {
        result.object("task", |object| flat(object, task));
    })
}

/// The answer to `tasks/get` and `tasks/cancel`.
pub(crate) fn task(id: &RequestId, task: &TaskSnapshot<'_>) -> Frame {
    response(id, |result| flat(result, task))
}

/// A task of a list, which may hold those of both dialects that have lists.
pub(crate) enum Listed<'a> {
    Core(TaskSnapshot<'a>),
    Draft(TaskSnapshot<'a>),
}

/// The answer to `tasks/list`.
pub(crate) fn list(id: &RequestId, tasks: &[Listed<'_>], next: Option<&str>) -> Frame {
    response(id, |result| {
        result.array("tasks", tasks, |object, task| match task {
            Listed::Core(task) => flat(object, task),
            Listed::Draft(task) => draft::fields(object, task),
        });
        result.optional_text("nextCursor", next);
    })
}

/// `notifications/tasks/status`.
pub(crate) fn status(task: &TaskSnapshot<'_>) -> Frame {
    notification("notifications/tasks/status", |params| flat(params, task))
}

/// The answer to `tasks/result` of a terminal task: its result, its error, or "Task was cancelled".
pub(crate) fn result(id: &RequestId, task: &TaskSnapshot<'_>) -> Message {
    match task.outcome {
        Some(Outcome::Result(output)) => {
            let related = Some(Related::Core(task.id));
            legacy::call_result(id, output, Revision::V2025_11_25, related)
        }
        // Exactly the error that the call would have got: it has no `_meta` to relate it with.
        Some(Outcome::Error(error)) => modern::error(Some(id), error).into(),
        // The revision asks for the final result of a task that has none; a result with `isError` is what models read.
        None => response(id, |result| {
            result.raw(
                "content",
                r#"[{"type":"text","text":"Task was cancelled"}]"#,
            );
            result.bool("isError", true);
            result.related_meta(None, Some(Related::Core(task.id)));
        })
        .into(),
    }
}

/// A result with `isError` makes a task `failed` here (2025-11-25 tasks, "Task Execution Errors").
pub(crate) fn status_name(task: &TaskSnapshot<'_>) -> &'static str {
    match task.outcome {
        Some(Outcome::Result(output)) if output.is_error => "failed",
        _ => task::status(task),
    }
}

fn flat(object: &mut Object<'_>, task: &TaskSnapshot<'_>) {
    let text = match task.outcome {
        Some(Outcome::Result(output)) if output.is_error => error_text(output).map(Cow::Owned),
        _ => None,
    };
    let text = text.or_else(|| message(task));
    fields(object, task, status_name(task), text.as_deref(), &WORDS);
}

/// `tasks/list` cursors name the last task of the page before.
pub(crate) fn cursor(last: &TaskId) -> String {
    URL_SAFE_NO_PAD.encode([CURSOR, last.as_str().as_bytes()].concat())
}

/// The task a cursor names; `None` for one this server never made.
pub(crate) fn read_cursor(cursor: &str) -> Option<TaskId> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let id = std::str::from_utf8(bytes.strip_prefix(CURSOR)?).ok()?;
    (!id.is_empty()).then(|| TaskId::new(id))
}

#[cfg(test)]
mod tests;
