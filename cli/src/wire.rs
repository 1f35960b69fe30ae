//! What a server has on the wire that is spoken with it, as far as it is known before it is asked for.

use mcp_tasks::client::{Client, RemoteServer, RemoteTool, TaskSupport, Wire};
use serde_json::Value;

use crate::clean;

/// The extension of 2026-07-28 that makes tasks of calls.
const TASKS: &str = "io.modelcontextprotocol/tasks";

/// Why no call of the tool becomes a task.
pub(crate) fn why_no_task(client: &Client, tool: &RemoteTool) -> Option<String> {
    let (wire, server) = (client.wire(), client.server());
    let offered = match wire {
        Wire::V2026_07_28 => offers(&server, &["extensions", TASKS]),
        Wire::V2025_11_25 => offers(&server, &["tasks", "requests", "tools", "call"]),
        Wire::Draft => true,
        _ => return Some(format!("there are no tasks on the wire {wire}")),
    };
    if !offered {
        let server = clean::line(server.label());
        return Some(format!("{server} makes no tasks of calls"));
    }
    // In 2026-07-28 the server decides anew with each call.
    let never = wire == Wire::V2025_11_25 && tool.task_support() == TaskSupport::Never;
    never.then(|| format!("`{}` is never a task", clean::line(tool.name())))
}

/// Why nobody can be asked to keep the task of the tool's call.
pub(crate) fn why_not_kept(client: &Client, tool: &RemoteTool) -> Option<String> {
    why_no_task(client, tool).or_else(|| {
        let wire = client.wire();
        (wire == Wire::V2026_07_28)
            .then(|| format!("on the wire {wire} the server alone says how long it keeps a task"))
    })
}

fn offers(server: &RemoteServer, path: &[&str]) -> bool {
    let mut at = &server.capabilities;
    for key in path {
        match at.get(*key).and_then(Value::as_object) {
            Some(below) => at = below,
            None => return false,
        }
    }
    true
}
