//! Calls that are tasks as the SEP-1686 draft has them: by a key in their metadata, beside the ordinary response.

use serde_json::{Value, json};

use super::run::Run;
use crate::model::id;

/// What makes a call a task.
pub(super) const TASK: &str = "modelcontextprotocol.io/task";
/// What relates a message to it.
pub(super) const RELATED: &str = "modelcontextprotocol.io/related-task";

/// The metadata of a call that is to be a task; `keep_alive` is in milliseconds.
pub(super) fn meta(keep_alive: Option<u64>) -> Value {
    let mut task = json!({ "taskId": id::random() });
    if let Some(keep_alive) = keep_alive {
        task["keepAlive"] = keep_alive.into();
    }
    json!({ TASK: task })
}

impl Run<'_> {
    /// Looks at the task that the call was, if it was one: how it ended, its response does not say.
    pub(super) async fn see_draft_task(&mut self) {
        let Some(id) = self.outcome.task_id() else {
            return;
        };
        let about = json!({ "taskId": id });
        if let Ok(task) = self.exchange("tasks/get", about).await {
            self.saw(&task);
            self.outcome.task = Some(task);
        }
    }
}

#[cfg(all(test, feature = "macros"))]
mod tests;
