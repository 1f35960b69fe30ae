//! Notifications that every era shares: progress and log messages.

use super::Frame;
use super::envelope::ProgressToken;
use super::related::Related;
use super::write::notification;
use crate::model::level::LogLevel;

/// `notifications/progress`. `task` relates it to a task.
pub(crate) fn progress(
    token: &ProgressToken,
    progress: f64,
    total: Option<f64>,
    message: Option<&str>,
    task: Option<Related<'_>>,
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

/// `notifications/message`. `task` relates it to a task.
pub(crate) fn log(level: LogLevel, logger: &str, text: &str, task: Option<Related<'_>>) -> Frame {
    notification("notifications/message", |params| {
        params.text("level", level.as_str());
        params.text("logger", logger);
        params.text("data", text);
        params.related_meta(None, task);
    })
}

#[cfg(test)]
mod tests;
