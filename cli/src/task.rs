//! What can be done with a task that is there.

use mcp_tasks::TaskId;
use mcp_tasks::client::{Client, ClientError, Task};
use serde_json::{Value, json};

use crate::clean;
use crate::exit::Failure;

/// A task in words.
pub(crate) fn describe(task: &Task) -> String {
    let mut lines = vec![format!(
        "{}  {}",
        clean::line(task.id.as_str()),
        task.status
    )];
    let message = task.message.as_deref().map(clean::line);
    lines.extend(
        message
            .filter(|text| !text.is_empty())
            .map(|text| format!("  {text}")),
    );
    for (key, name) in [("createdAt", "created"), ("lastUpdatedAt", "last changed")] {
        if let Some(time) = task.json().get(key).and_then(Value::as_str) {
            lines.push(format!("  {name} {}", clean::line(time)));
        }
    }
    if let Some(ttl) = task.ttl {
        lines.push(format!("  kept for {}", humantime::format_duration(ttl)));
    }
    lines.join("\n")
}

/// All tasks, page by page.
pub(crate) async fn all(client: &Client) -> Result<Vec<Task>, Failure> {
    let mut tasks = Vec::new();
    let mut cursors: Vec<String> = Vec::new();
    loop {
        let page = client
            .list_tasks(cursors.last().map(String::as_str))
            .await?;
        tasks.extend(page.tasks);
        match page.next {
            Some(next) if cursors.contains(&next) => {
                return Err(Failure::server("the server's list of tasks has no end"));
            }
            Some(next) => cursors.push(next),
            None => return Ok(tasks),
        }
    }
}

/// A list of tasks, as JSON and in words.
pub(crate) fn list(tasks: &[Task]) -> (Value, String) {
    let json: Vec<_> = tasks
        .iter()
        .map(|task| Value::from(task.json().clone()))
        .collect();
    let words: Vec<_> = tasks.iter().map(describe).collect();
    (json!({ "tasks": json }), words.join("\n"))
}

/// Nothing if the task has ended, so that its result is there.
pub(crate) async fn must_have_ended(client: &Client, id: &TaskId) -> Result<(), Failure> {
    let task = client.get_task(id).await?;
    if task.status.is_terminal() {
        return Ok(());
    }
    Err(Failure::server(format!(
        "the task {id} has not ended: it is `{}`; `mcp-tasks task wait` waits for it",
        task.status
    )))
}

/// Cancels the task, and tells what it is then where the server still says so.
pub(crate) async fn cancel(client: &Client, id: &TaskId) -> Result<(Value, String), Failure> {
    client.cancel_task(id).await?;
    match client.get_task(id).await {
        Ok(task) => Ok((task.json().clone().into(), describe(&task))),
        Err(ClientError::Refused { .. }) => Ok((json!({}), format!("{id}  gone"))),
        Err(error) => Err(error.into()),
    }
}
