//! Notifications that every era shares: progress and log messages.

use super::envelope::ProgressToken;
use super::write::notification;
use super::{Frame, Revision};
use crate::model::level::LogLevel;
use crate::model::task::TaskId;

/// `notifications/progress`. `task` relates it to a 2025-11-25 task.
pub(crate) fn progress(
    token: &ProgressToken,
    progress: f64,
    total: Option<f64>,
    message: Option<&str>,
    task: Option<&TaskId>,
) -> Frame {
    notification("notifications/progress", |params| {
        params.id("progressToken", token);
        params.number("progress", progress);
        if let Some(total) = total.filter(|total| total.is_finite()) {
            params.number("total", total);
        }
        params.optional_text("message", message);
        params.related_meta(None, task);
    })
}

/// `notifications/message`. `task` relates it to a 2025-11-25 task.
pub(crate) fn log(
    level: LogLevel,
    logger: &str,
    text: &str,
    revision: Revision,
    task: Option<&TaskId>,
) -> Frame {
    notification("notifications/message", |params| {
        params.text("level", level.as_str());
        params.text("logger", logger);
        params.text("data", text);
        params.related_meta(None, task.filter(|_| revision == Revision::V2025_11_25));
    })
}

#[cfg(test)]
mod tests;
