//! A connected client whose whole conversation is judged when the test ends.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use mcp_tasks::Server;
use mcp_tasks::testing::{Client, ClientBuilder, ClientKind, ErrorReply, Question, Reply};
use serde_json::{Value, json};

use crate::transcript;

/// The metadata key that relates a 2025-11-25 message to its task.
pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
/// The metadata key of the capabilities of a modern request's client.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The metadata key of a modern request's revision.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The metadata key of a modern request's log level.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// The metadata key of a subscription's id.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// The two kinds of client that follow tasks.
pub const TASK_CLIENTS: [ClientKind; 2] = [ClientKind::TasksExtension, ClientKind::CoreTasks];

/// A [`Client`] that checks its transcript against the protocol when it is dropped.
pub struct Session {
    client: Client,
}

impl Session {
    /// A client of `kind` with all capabilities, connected to `server`.
    pub async fn open(server: &Server, kind: ClientKind) -> Self {
        Self::with(Client::builder(kind), server).await
    }

    /// The client that `builder` describes, connected to `server`.
    pub async fn with(builder: ClientBuilder, server: &Server) -> Self {
        Self {
            client: builder.connect(server).await,
        }
    }

    /// Sends a call that a task may come of.
    pub async fn start_call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut params = json!({ "name": tool, "arguments": arguments });
        if self.kind() == ClientKind::CoreTasks {
            params["task"] = json!({});
        }
        self.start("tools/call", params).await
    }

    /// Makes a task and returns it as the creating reply shows it.
    pub async fn start_task(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.start_call(tool, arguments).await;
        let created = self.response(&id).await.expect("a task");
        let task = if self.kind().is_modern() {
            &created
        } else {
            &created["task"]
        };
        assert!(task["taskId"].is_string(), "no task was made: {created}");
        task.clone()
    }

    /// A plain call, without any wish for a task.
    pub async fn call_plainly(
        &mut self,
        tool: &str,
        arguments: Value,
    ) -> Result<Value, ErrorReply> {
        self.request(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
        .await
    }

    /// The task of which `task` is an earlier state, as `tasks/get` shows it now.
    pub async fn get(&mut self, task: &Value) -> Value {
        self.about("tasks/get", task).await.expect("the task")
    }

    /// A request that has nothing but a task's id.
    pub async fn about(&mut self, method: &str, task: &Value) -> Result<Value, ErrorReply> {
        self.request(method, json!({ "taskId": task["taskId"] }))
            .await
    }

    /// Answers questions of a 2026-07-28 task.
    pub async fn update(&mut self, task: &Value, responses: Value) -> Result<Value, ErrorReply> {
        let params = json!({ "taskId": task["taskId"], "inputResponses": responses });
        self.request("tasks/update", params).await
    }

    /// Polls until the task has this status.
    pub async fn get_until(&mut self, task: &Value, status: &str) -> Value {
        for _ in 0..1000 {
            let now = self.get(task).await;
            if now["status"] == status {
                return now;
            }
            let ended = matches!(
                now["status"].as_str(),
                Some("completed" | "failed" | "cancelled")
            );
            assert!(!ended, "waited for {status}, but the task ended: {now}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the task was not {status} in 20 s");
    }

    /// The next request of the server's.
    pub async fn server_request(&mut self) -> Value {
        self.until(|message| message.get("id").is_some() && message.get("method").is_some())
            .await
    }

    /// The next notification of this method.
    pub async fn notification(&mut self, method: &str) -> Value {
        self.until(|message| message.get("id").is_none() && message["method"] == method)
            .await
    }

    /// Whatever comes within a second and was not looked at, but for the changes of 2025-11-25 tasks, which a
    /// server may tell at any time.
    pub async fn surprises(&mut self) -> Vec<Value> {
        let mut rest = self.leftovers().await;
        rest.retain(|message| message["method"] != "notifications/tasks/status");
        rest
    }

    /// Whatever comes within a second and was not looked at.
    pub async fn leftovers(&mut self) -> Vec<Value> {
        let mut rest = Vec::new();
        while let Some(message) = self.try_recv(Duration::from_secs(1)).await {
            rest.push(message);
        }
        rest
    }
}

impl Deref for Session {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut Client {
        &mut self.client
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            transcript::judge(self.client.kind(), self.client.transcript());
        }
    }
}

/// Agrees to whatever is asked: every required field gets a value that fits its type.
pub fn agree(question: &Question) -> Reply {
    let properties = question.schema()["properties"]
        .as_object()
        .into_iter()
        .flatten();
    let content = properties.map(|(name, schema)| {
        let value = match schema["type"].as_str() {
            Some("boolean") => json!(true),
            Some("integer" | "number") => json!(1),
            _ => json!("yes"),
        };
        (name.clone(), value)
    });
    Reply::Accept(Value::Object(content.collect()))
}

/// An accepted form, as `tasks/update` and a retry carry it.
pub fn accepted(content: impl Into<Value>) -> Value {
    json!({ "action": "accept", "content": content.into() })
}

/// The text of a result's first content block.
pub fn text(result: &Value) -> &str {
    result["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text in {result}"))
}
