//! A call under way, to be cancelled where the test wants it rather than after some time.

use mcp_tasks::testing::{Client, ClientKind};
use serde_json::{Value, json};

/// A call that has been made and has not ended.
pub(crate) struct Running {
    request: Value,
    /// The task's id, where there is one.
    task: Option<Value>,
}

impl Running {
    /// Calls a task tool, as a task where the client can follow one.
    pub(crate) async fn start(client: &mut Client, tool: &str, arguments: Value) -> Self {
        let kind = client.kind();
        let mut params =
            json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": "p" } });
        if kind == ClientKind::CoreTasks {
            params["task"] = json!({});
        }
        let request = client.start("tools/call", params).await;
        let task = if kind.follows_tasks() {
            let created = client.response(&request).await.unwrap();
            let task = if kind.is_modern() {
                &created
            } else {
                &created["task"]
            };
            Some(task["taskId"].clone())
        } else {
            None
        };
        Self { request, task }
    }

    /// Waits until the client is told `text`, as a task's status message or as progress.
    pub(crate) async fn told(&self, client: &mut Client, text: &str) {
        let tells = |message: &Value| message.as_str().is_some_and(|said| said.contains(text));
        if client.kind() == ClientKind::TasksExtension {
            let poll = json!({ "taskId": self.task });
            loop {
                let task = client.request("tasks/get", poll.clone()).await.unwrap();
                assert_eq!(task["status"], "working", "{task}");
                if tells(&task["statusMessage"]) {
                    return;
                }
            }
        }
        client
            .until(|message| {
                tells(&message["params"]["message"]) || tells(&message["params"]["statusMessage"])
            })
            .await;
    }

    /// Cancels it in the way that the client has, and waits until nothing of it is left on the server.
    pub(crate) async fn cancel(self, mut client: Client) {
        if let Some(task) = self.task {
            let cancelled = client.request("tasks/cancel", json!({ "taskId": task }));
            cancelled.await.unwrap();
        } else {
            let request = json!({ "requestId": self.request });
            client.notify("notifications/cancelled", request).await;
        }
        client.finish().await.unwrap();
    }
}
