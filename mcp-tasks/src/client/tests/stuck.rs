//! Servers that fall silent.

use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;

use super::script::{Script, ada, initialized, name_question, task, text, work};
use crate::client::{Client, ClientError, PendingCall, Reference, Wire};

const HOUR: Duration = Duration::from_secs(3600);

/// A call whose task has been looked at, without an answer.
async fn looked_at() -> (Client, PendingCall, Script) {
    let (client, call, mut script) = Script::with_task(Client::builder()).await;
    script.expect("tasks/get").await;
    (client, call, script)
}

#[tokio::test(start_paused = true)]
async fn a_look_without_an_answer_holds_up_no_cancellation() {
    let (_client, call, mut script) = looked_at().await;
    let serve = async {
        let cancel = script.expect("tasks/cancel").await;
        script
            .reply(&cancel, json!({ "resultType": "complete" }))
            .await;
        script
            .notify("notifications/tasks", task("cancelled", json!({})))
            .await;
    };
    let cancelled = timeout(HOUR, async { tokio::join!(call.cancel(), serve).0 }).await;
    cancelled.expect("an end").expect("told");
    assert!(matches!(
        call.result().await,
        Err(ClientError::Cancelled { .. })
    ));
}

#[tokio::test(start_paused = true)]
async fn a_look_without_an_answer_holds_up_no_news() {
    let (_client, call, mut script) = looked_at().await;
    let done = task("completed", json!({ "result": text("done") }));
    script.notify("notifications/tasks", done).await;
    let result = timeout(HOUR, call.result()).await.expect("an end");
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_look_without_an_answer_ends_with_the_tasks_time() {
    let (_client, call, _script) = looked_at().await;
    let result = timeout(HOUR, call.result()).await.expect("an end");
    assert!(
        matches!(result, Err(ClientError::Expired { .. })),
        "{result:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_cancellation_without_an_answer_holds_up_no_end() {
    let (_client, call, mut script) = Script::with_task(Client::builder()).await;
    call.task_id().await.expect("a task");
    let serve = async {
        script.expect("tasks/cancel").await;
        let look = script.expect("tasks/get").await;
        script.reply(&look, task("cancelled", json!({}))).await;
    };
    let cancelled = timeout(HOUR, async { tokio::join!(call.cancel(), serve).0 }).await;
    cancelled.expect("an end").expect("the task has ended");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_not_acknowledged_holds_up_no_end() {
    let (_client, call, mut script) = Script::with_task(ada()).await;
    let look = script.expect("tasks/get").await;
    let question = json!({ "method": "elicitation/create", "params": name_question() });
    let asking = json!({ "inputRequests": { "k": question } });
    script.reply(&look, task("input_required", asking)).await;
    script.expect("tasks/update").await;
    let look = timeout(HOUR / 2, script.expect("tasks/get")).await;
    let done = task("completed", json!({ "result": text("done") }));
    script.reply(&look.expect("a look"), done).await;
    assert_eq!(call.result().await.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_core_tasks_look_without_an_answer_holds_up_neither_news_nor_cancellation() {
    let tasks = json!({ "tasks": { "cancel": {}, "requests": { "tools": { "call": {} } } } });
    let (client, mut script) = Script::legacy(Client::builder(), Wire::V2025_11_25, tasks).await;
    let state = |status: &str| json!({ "taskId": "t-1", "status": status, "ttl": 60_000, "pollInterval": 100 });
    let call = client
        .resume(Reference::new("t-1", Wire::V2025_11_25))
        .await
        .expect("a call");
    let look = script.expect("tasks/get").await;
    script.reply(&look, state("working")).await;
    script.expect("tasks/get").await;
    script
        .notify("notifications/tasks/status", state("completed"))
        .await;
    let fetch = timeout(HOUR / 2, script.expect("tasks/result")).await;
    script.reply(&fetch.expect("a fetch"), text("done")).await;
    let result = timeout(HOUR, call.result()).await.expect("an end");
    assert_eq!(result.expect("a result").text(), "done");

    let call = client
        .resume(Reference::new("t-1", Wire::V2025_11_25))
        .await
        .expect("a call");
    script.expect("notifications/cancelled").await; // the look that nobody waits for
    let look = script.expect("tasks/get").await;
    script.reply(&look, state("working")).await;
    script.expect("tasks/get").await;
    let serve = async {
        let cancel = script.expect("tasks/cancel").await;
        script.reply(&cancel, state("cancelled")).await;
    };
    let cancelled = timeout(HOUR, async { tokio::join!(call.cancel(), serve).0 }).await;
    cancelled.expect("an end").expect("told");
}

#[tokio::test(start_paused = true)]
async fn a_drafts_look_without_an_answer_holds_up_no_ordinary_response() {
    let (client, mut script) = Script::legacy(Client::builder(), Wire::Draft, json!({})).await;
    let call = work(&client).await;
    let request = script.expect("tools/call").await;
    script.expect("tasks/get").await;
    script.reply(&request, text("done")).await;
    let result = timeout(HOUR, call.result()).await.expect("an end");
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_greets_is_given_up() {
    let (endpoint, _script) = Script::new();
    let connected = timeout(HOUR, Client::connect(endpoint)).await;
    let error = connected.expect("an end").expect_err("no server");
    assert!(error.to_string().contains("answer"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn half_a_line_and_silence_is_no_message_and_no_end() {
    let (endpoint, mut script) = Script::new();
    let greet = async {
        let hello = script.expect("initialize").await;
        let answer = json!({ "jsonrpc": "2.0", "id": hello["id"],
            "result": initialized(&json!("2025-06-18"), json!({})) });
        let answer = format!("{answer}\n");
        let (one, two) = answer.split_at(20);
        script.write(one).await;
        tokio::time::sleep(Duration::from_secs(20)).await;
        script.write(two).await;
        script.expect("notifications/initialized").await;
    };
    let client = Client::builder().wire(Wire::V2025_06_18).connect(endpoint);
    let (client, ()) = tokio::join!(client, greet);
    assert_eq!(client.expect("a connection").wire(), Wire::V2025_06_18);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_read_holds_up_no_close() {
    let (near, far) = tokio::io::duplex(64);
    let (reader, writer) = tokio::io::split(near);
    let connecting = tokio::spawn(Client::connect(crate::client::Endpoint::io(reader, writer)));
    // It answers without having read, as whoever knows the client can.
    let (_unread, mut writer) = tokio::io::split(far);
    let answer = json!({ "jsonrpc": "2.0", "id": 1, "result": super::script::discovery() });
    tokio::task::yield_now().await;
    tokio::io::AsyncWriteExt::write_all(&mut writer, format!("{answer}\n").as_bytes())
        .await
        .expect("it reads");
    let client = connecting.await.expect("no panic").expect("a connection");
    timeout(HOUR, client.close()).await.expect("an end");
}
