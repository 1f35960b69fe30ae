//! Calls as the SEP-1686 draft has them.

use std::time::Duration;

use serde_json::{Value, json};

use super::script::{Script, code, text};
use crate::client::{Client, ClientError, Wire};

const TASK: &str = "modelcontextprotocol.io/task";
const RELATED: &str = "modelcontextprotocol.io/related-task";

async fn begun() -> (crate::client::PendingCall, Script, Value) {
    let (client, mut script) = Script::legacy(Client::builder(), Wire::Draft, json!({})).await;
    let call = client
        .begin_call_tool("work", Value::Null)
        .keep(Duration::from_secs(60));
    let call = call.await.expect("a call");
    let request = script.expect("tools/call").await;
    let task = &request["params"]["_meta"][TASK];
    assert_eq!(task["keepAlive"], 60_000);
    assert!(task["taskId"].is_string());
    (call, script, request)
}

fn id(request: &Value) -> &Value {
    &request["params"]["_meta"][TASK]["taskId"]
}

async fn create(script: &mut Script, request: &Value) {
    let meta = json!({ RELATED: { "taskId": id(request) } });
    script
        .notify("notifications/tasks/created", json!({ "_meta": meta }))
        .await;
}

fn state(request: &Value, status: &str) -> Value {
    json!({ "taskId": id(request), "status": status, "keepAlive": 60_000, "pollFrequency": 500 })
}

#[tokio::test(start_paused = true)]
async fn the_ordinary_response_is_the_result_where_it_comes_first() {
    let (call, mut script, request) = begun().await;
    script.reply(&request, text("as ever")).await;
    assert_eq!(call.result().await.expect("a result").text(), "as ever");
}

#[tokio::test(start_paused = true)]
async fn the_tasks_result_is_the_result_where_that_comes_first() {
    let (call, mut script, request) = begun().await;
    create(&mut script, &request).await;
    let get = script.expect("tasks/get").await;
    assert_eq!(get["params"]["taskId"], *id(&request));
    script.reply(&get, state(&request, "completed")).await;
    let result = script.expect("tasks/result").await;
    script.reply(&result, text("by its task")).await;
    assert_eq!(call.result().await.expect("a result").text(), "by its task");
}

#[tokio::test(start_paused = true)]
async fn it_fails_when_both_have_failed() {
    let (call, mut script, request) = begun().await;
    create(&mut script, &request).await;
    let get = script.expect("tasks/get").await;
    script.reply(&get, state(&request, "failed")).await;
    script.refuse(&request, -32603, "the disk is full").await;
    assert_eq!(code(call.result().await), -32603);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_knows_no_tasks_answers_all_the_same() {
    let (call, mut script, request) = begun().await;
    let get = script.expect("tasks/get").await;
    script.refuse(&get, -32601, "Method not found").await;
    script.reply(&request, text("as ever")).await;
    assert_eq!(call.result().await.expect("a result").text(), "as ever");
}

#[tokio::test(start_paused = true)]
async fn it_is_cancelled_by_its_request() {
    let (call, mut script, request) = begun().await;
    create(&mut script, &request).await;
    let get = script.expect("tasks/get").await;
    script.reply(&get, state(&request, "working")).await;
    let serve = async {
        let cancelled = script.expect("notifications/cancelled").await;
        assert_eq!(cancelled["params"]["requestId"], request["id"]);
        let get = script.expect("tasks/get").await;
        script.reply(&get, state(&request, "cancelled")).await;
    };
    let cancel = async {
        call.task_id().await.expect("a task");
        call.cancel().await.expect("told");
        call.result().await
    };
    let (result, ()) = tokio::join!(cancel, serve);
    assert!(
        matches!(result, Err(ClientError::Cancelled { .. })),
        "{result:?}"
    );
}
