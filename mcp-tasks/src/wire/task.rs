//! What both task dialects tell of a task in the same words.

use std::borrow::Cow;

use serde::Deserialize;

use super::envelope::Text;
use super::write::{Object, shorten};
use crate::model::result::CallOutput;
use crate::model::task::{Outcome, TaskSnapshot, TaskStatus};

/// Bytes of an error's text that a `statusMessage` repeats.
const STATUS_MESSAGE: usize = 200;

/// A dialect's own words for the same facts.
pub(super) struct Words {
    pub(super) ttl: &'static str,
    pub(super) poll_interval: &'static str,
}

/// The fields that every rendering of a task has.
pub(super) fn fields(
    object: &mut Object<'_>,
    task: &TaskSnapshot<'_>,
    status: &'static str,
    message: Option<&str>,
    words: &Words,
) {
    object.text("taskId", task.id.as_str());
    object.text("status", status);
    object.optional_text("statusMessage", message);
    object.time("createdAt", task.created);
    object.time("lastUpdatedAt", task.updated);
    match task.ttl {
        Some(ttl) => object.integer(words.ttl, ttl),
        None => object.null(words.ttl),
    }
    object.integer(words.poll_interval, task.poll_interval);
}

/// The status by its name; both dialects have the same five.
pub(super) fn status(task: &TaskSnapshot<'_>) -> &'static str {
    match task.status {
        TaskStatus::Created | TaskStatus::Working => "working",
        TaskStatus::InputRequired => "input_required",
        TaskStatus::Completed => "completed",
        TaskStatus::Failed => "failed",
        TaskStatus::Cancelled => "cancelled",
    }
}

/// What to tell people of where a task stands: how it failed, if it did, else the last word on how it goes.
pub(super) fn message<'a>(task: &TaskSnapshot<'a>) -> Option<Cow<'a, str>> {
    match task.outcome {
        Some(Outcome::Error(error)) => Some(shorten(&error.message, STATUS_MESSAGE)),
        _ => task.message.map(Cow::Borrowed),
    }
}

/// The beginning of what a result with `isError` says.
pub(super) fn error_text(output: &CallOutput) -> Option<String> {
    #[derive(Deserialize)]
    struct Block<'a> {
        #[serde(borrow)]
        text: Option<Text<'a>>,
    }
    let blocks: Vec<Block<'_>> = serde_json::from_str(output.content.get()).ok()?;
    let text = blocks.into_iter().find_map(|block| block.text)?;
    Some(shorten(&text.0, STATUS_MESSAGE).into_owned())
}
