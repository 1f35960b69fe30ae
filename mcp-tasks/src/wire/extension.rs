//! The 2026-07-28 tasks extension, `io.modelcontextprotocol/tasks`.

use super::envelope::RequestId;
use super::modern::{call_fields, complete, input_requests};
use super::task::{Words, fields, message, status};
use super::write::{self, Object, response, sized_response};
use super::{Frame, Message, ServerInfo};
use crate::model::task::{Outcome, TaskSnapshot, TaskStatus};

const WORDS: Words = Words {
    ttl: "ttlMs",
    poll_interval: "pollIntervalMs",
};

/// `CreateTaskResult`: flat, and without result, error or questions even where there are some already.
pub(crate) fn create(id: &RequestId, task: &TaskSnapshot<'_>, info: &ServerInfo) -> Frame {
    response(id, |result| {
        result.text("resultType", "task");
        plain(result, task);
        result.server_meta(None, info);
    })
}

/// The answer to `tasks/get`: a `DetailedTask`.
pub(crate) fn task(id: &RequestId, task: &TaskSnapshot<'_>, info: &ServerInfo) -> Message {
    sized_response(size(task), id, |result| {
        complete(result);
        detailed(result, task);
        result.server_meta(None, info);
    })
}

/// The empty answer to `tasks/update` and `tasks/cancel`.
pub(crate) fn acknowledged(id: &RequestId, info: &ServerInfo) -> Frame {
    response(id, |result| {
        complete(result);
        result.server_meta(None, info);
    })
}

/// `notifications/tasks` on the subscription `subscription`.
pub(crate) fn notification(subscription: &RequestId, task: &TaskSnapshot<'_>) -> Frame {
    write::notification("notifications/tasks", |params| {
        params.object("_meta", |meta| meta.subscription(subscription));
        detailed(params, task);
    })
}

fn plain(object: &mut Object<'_>, task: &TaskSnapshot<'_>) {
    fields(object, task, status(task), message(task).as_deref(), &WORDS);
}

fn detailed(object: &mut Object<'_>, task: &TaskSnapshot<'_>) {
    plain(object, task);
    match task.outcome {
        // What the call would have answered, but for the server's name: that is in the `_meta` around it.
        Some(Outcome::Result(output)) => object.object("result", |result| {
            complete(result);
            call_fields(result, output);
            result.related_meta(output.meta.as_ref().map(|meta| meta.get()), None);
        }),
        Some(Outcome::Error(error)) => object.error(error),
        None if task.status == TaskStatus::InputRequired => input_requests(object, &task.inputs),
        None => {}
    }
}

fn size(task: &TaskSnapshot<'_>) -> usize {
    match task.outcome {
        Some(Outcome::Result(output)) => Message::room(output) + 256,
        _ => 256,
    }
}

#[cfg(test)]
mod tests;
