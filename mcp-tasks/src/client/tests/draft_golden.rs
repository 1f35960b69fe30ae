//! A conversation in the SEP-1686 draft: every message that a client writes is compared with a file, and every message
//! that a server of this crate writes is read as its file has it.

use std::time::Duration;

use serde_json::{Value, json};

use super::script::{Script, ada, code};
use crate::client::{Client, ClientError, PendingCall, Status, Wire};
use crate::model::task::TaskId;
use crate::wire::golden;

/// The id in the files; the client chooses another each time.
const NAME: &str = "786af6b0";
const TASK: &str = "modelcontextprotocol.io/task";
const RELATED: &str = "modelcontextprotocol.io/related-task";

/// A server, and the id of the task that it is asked about.
struct Draft {
    script: Script,
    id: String,
}

impl Draft {
    async fn begin() -> (Client, PendingCall, Self, Value) {
        let (client, mut script) = Script::legacy(ada(), Wire::Draft, json!({})).await;
        let call = client
            .begin_call_tool("greet", json!({ "city": "Oslo" }))
            .keep(Duration::from_secs(60));
        let call = call.await.expect("a call");
        let request = script.expect("tools/call").await;
        let id = request["params"]["_meta"][TASK]["taskId"].as_str();
        let id = id.expect("an id").to_owned();
        let draft = Self { script, id };
        (client, call, draft, request)
    }

    /// The client's next message is that of the file.
    async fn hears(&mut self, name: &str) -> Value {
        let message = self.script.next().await;
        self.is_golden(name, &message);
        message
    }

    fn is_golden(&self, name: &str, message: &Value) {
        let frame = message.to_string().replace(&self.id, NAME);
        golden::check_in("sep-1686/client", name, frame.as_bytes());
    }

    /// Says what the server's file has, to this request if it is a response.
    async fn says(&mut self, name: &str, to: &Value) {
        let said = golden::read("sep-1686", name).replace(NAME, &self.id);
        let mut said: Value = serde_json::from_str(&said).expect("JSON");
        if said.get("id").is_some() {
            said["id"] = to["id"].clone();
        }
        self.script.write(&format!("{said}\n")).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_from_its_creation_to_its_deletion() {
    let (client, call, mut draft, request) = Draft::begin().await;
    draft.is_golden("tools.call", &request);
    draft.says("notifications.tasks.created", &request).await;
    let look = draft.hears("tasks.get").await;
    let mut states = call.status_changes();
    for status in ["submitted", "working", "input_required"] {
        let look = match status {
            "submitted" => look.clone(),
            _ => draft.script.expect("tasks/get").await,
        };
        draft.says(&format!("tasks.get+{status}"), &look).await;
        let state = states.next().await.expect("a state");
        assert_eq!(state.status.to_string(), status);
        assert_eq!(state.ttl, Some(Duration::from_secs(600)));
        assert_eq!(state.poll_interval, Some(Duration::from_secs(1)));
    }
    let related = json!({ RELATED: { "taskId": draft.id } });
    let question = json!({ "message": "Name?", "_meta": related, "requestedSchema": {
        "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"],
    }});
    draft
        .script
        .ask("q-1", "elicitation/create", question)
        .await;
    draft.hears("elicitation.create").await;
    let look = draft.script.expect("tasks/get").await;
    draft.says("tasks.get+completed", &look).await;
    let fetch = draft.hears("tasks.result").await;
    draft.says("tools.call", &fetch).await;
    assert_eq!(call.result().await.expect("a result").text(), "done");

    let listed = async {
        let list = draft.hears("tasks.list").await;
        draft.says("tasks.list", &list).await;
    };
    let (page, ()) = tokio::join!(client.list_tasks(Some("optional-cursor-value")), listed);
    let page = page.expect("a page");
    assert_eq!(page.next.as_deref(), Some("next"));
    assert_eq!(page.tasks[0].status, Status::Working);
    assert_eq!(page.tasks[0].id.as_str(), draft.id);

    let id = TaskId::new(&*draft.id);
    let deleted = async {
        let delete = draft.hears("tasks.delete").await;
        draft.says("tasks.delete", &delete).await;
    };
    let (gone, ()) = tokio::join!(client.delete_task(&id), deleted);
    gone.expect("a deletion");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_is_cancelled() {
    let (_client, call, mut draft, request) = Draft::begin().await;
    draft.says("notifications.tasks.created", &request).await;
    let look = draft.script.expect("tasks/get").await;
    draft.says("tasks.get+working", &look).await;
    let cancelled = async {
        call.task_id().await.expect("a task");
        call.cancel().await.expect("told");
        call.result().await
    };
    let serve = async {
        draft.hears("notifications.cancelled").await;
        let look = draft.script.expect("tasks/get").await;
        draft.says("tasks.get+cancelled", &look).await;
    };
    let (result, ()) = tokio::join!(cancelled, serve);
    assert!(
        matches!(result, Err(ClientError::Cancelled { .. })),
        "{result:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_task_that_fails_says_why() {
    let (_client, call, mut draft, request) = Draft::begin().await;
    draft.says("notifications.tasks.created", &request).await;
    let look = draft.script.expect("tasks/get").await;
    draft.says("tasks.get+failed", &look).await;
    // Whichever fails last gives the reason; the task's has no code of its own.
    let task = call.task_id().await.expect("a task");
    assert_eq!(task.as_str(), draft.id);
    draft
        .script
        .refuse(&request, -32603, "the disk is full")
        .await;
    let error = call.result().await.expect_err("no result");
    assert!(error.to_string().contains("the disk is full"), "{error}");
    let seen = call.task().expect("a task");
    assert_eq!(
        (seen.status, seen.message.as_deref()),
        (Status::Failed, Some("the disk is full"))
    );
}

#[tokio::test(start_paused = true)]
async fn what_the_draft_refuses_is_told_in_its_own_words() {
    let (client, mut script) = Script::legacy(ada(), Wire::Draft, json!({})).await;
    let id = TaskId::new(NAME);
    for refusal in [
        "Failed to retrieve task: Task not found",
        "Failed to retrieve task: Task has expired",
    ] {
        let serve = async {
            let look = script.expect("tasks/get").await;
            script.refuse(&look, -32602, refusal).await;
        };
        let (looked, ()) = tokio::join!(client.get_task(&id), serve);
        let error = looked.expect_err("no task");
        assert!(error.to_string().contains(refusal), "{error}");
        assert_eq!(code(Err::<(), _>(error)), -32602);
    }
    let early = "Cannot retrieve result: Task status is 'working', not 'completed'";
    let serve = async {
        let fetch = script.expect("tasks/result").await;
        script.refuse(&fetch, -32602, early).await;
    };
    let fetch = client.request("tasks/result", json!({ "taskId": NAME }));
    let (fetched, ()) = tokio::join!(fetch, serve);
    assert!(
        fetched.expect_err("no result").to_string().contains(early),
        "in its words"
    );
}

#[tokio::test(start_paused = true)]
async fn an_id_that_is_in_use_is_refused_with_the_call() {
    let (_client, call, mut draft, request) = Draft::begin().await;
    let look = draft.script.expect("tasks/get").await;
    let refusal = format!("Task ID already exists: {}", draft.id);
    draft.script.refuse(&request, -32602, &refusal).await;
    let unknown = "Failed to retrieve task: Task not found";
    draft.script.refuse(&look, -32602, unknown).await;
    let error = call.result().await.expect_err("no result");
    assert!(error.to_string().contains(&refusal), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_task_without_a_pace_of_its_own_is_read_too() {
    let (client, mut script) = Script::legacy(ada(), Wire::Draft, json!({})).await;
    let serve = async {
        let look = script.expect("tasks/get").await;
        let state = json!({ "taskId": NAME, "status": "completed", "keepAlive": null });
        script.reply(&look, state).await;
        let look = script.expect("tasks/get").await;
        let state = json!({ "taskId": NAME, "status": "unknown", "error": "lost" });
        script.reply(&look, state).await;
    };
    let id = TaskId::new(NAME);
    let look = async {
        let first = client.get_task(&id).await.expect("a task");
        (first, client.get_task(&id).await.expect("a task"))
    };
    let ((completed, unknown), ()) = tokio::join!(look, serve);
    assert_eq!((completed.ttl, completed.poll_interval), (None, None));
    assert_eq!(unknown.status, Status::Unknown);
    assert!(unknown.status.is_terminal());
}
