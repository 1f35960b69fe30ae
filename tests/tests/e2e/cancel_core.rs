//! `tasks/cancel` in 2025-11-25: cancelled before the reply, and for ever.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{Client, ClientKind};
use serde_json::{Value, json};
use tests::session::{RELATED_TASK, Session, text};
use tests::tools::server;

use ClientKind::CoreTasks;

fn assert_cancelled_result(result: &Value, task: &Value) {
    assert_eq!(result["isError"], true);
    assert_eq!(text(result), "Task was cancelled");
    assert_eq!(result["_meta"][RELATED_TASK]["taskId"], task["taskId"]);
}

#[tokio::test(start_paused = true)]
async fn the_reply_to_a_cancel_is_the_cancelled_task() {
    let (server, probe) = server();
    let mut client = Session::open(&server, CoreTasks).await;
    let task = client.start_task("nap", json!({ "millis": 60_000 })).await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    let reply = client.about("tasks/cancel", &task).await.unwrap();
    assert_eq!(reply["taskId"], task["taskId"]);
    assert_eq!(reply["status"], "cancelled");
    assert!(
        reply["createdAt"].is_string() && reply["lastUpdatedAt"].is_string(),
        "{reply}"
    );
    assert!(reply.get("ttl").is_some(), "{reply}");
    assert_eq!(client.get(&task).await["status"], "cancelled");
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert_eq!((probe.started(), probe.dropped()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn an_ended_task_cannot_be_cancelled() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    for (tool, status) in [("refuse", "failed"), ("export", "completed")] {
        let task = client.start_task(tool, json!({})).await;
        let before = client.get_until(&task, status).await;
        let error = client.about("tasks/cancel", &task).await.unwrap_err();
        assert_eq!(error.code, -32602);
        let message = format!("Cannot cancel task: already in terminal status '{status}'");
        assert_eq!(error.message, message);
        assert_eq!(client.get(&task).await, before);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_task_cannot_be_cancelled_again() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let task = client.start_task("nap", json!({ "millis": 60_000 })).await;
    client.about("tasks/cancel", &task).await.unwrap();
    assert_eq!(
        client.about("tasks/cancel", &task).await.unwrap_err().code,
        -32602
    );
    assert_eq!(client.get(&task).await["status"], "cancelled");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_task_says_so_to_whoever_asks_for_its_result() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let task = client.start_task("nap", json!({ "millis": 60_000 })).await;
    client.about("tasks/cancel", &task).await.unwrap();
    let result = client.about("tasks/result", &task).await.unwrap();
    assert_cancelled_result(&result, &task);
}

#[tokio::test(start_paused = true)]
async fn a_cancel_releases_everyone_who_waits_for_the_result() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let task = client.start_task("nap", json!({ "millis": 60_000 })).await;
    let params = json!({ "taskId": task["taskId"] });
    let mut waiting = Vec::new();
    for _ in 0..3 {
        waiting.push(client.start("tasks/result", params.clone()).await);
    }
    let cancel = client.about("tasks/cancel", &task).await.unwrap();
    assert_eq!(cancel["status"], "cancelled");
    for id in waiting {
        assert_cancelled_result(&client.response(&id).await.unwrap(), &task);
    }
}

#[tokio::test(start_paused = true)]
async fn a_late_result_does_not_undo_a_cancel() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let task = client.start_task("wind_down", json!({})).await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    let reply = client.about("tasks/cancel", &task).await.unwrap();
    assert_eq!(reply["status"], "cancelled");
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(client.get(&task).await["status"], "cancelled");
    assert_cancelled_result(&client.about("tasks/result", &task).await.unwrap(), &task);
}

#[tokio::test(start_paused = true)]
async fn a_cancel_that_was_granted_stands_whenever_it_came() {
    let (server, _) = server();
    let mut client = Session::open(&server, CoreTasks).await;
    for round in 0..200 {
        let task = client
            .start_task("nap", json!({ "millis": round % 2 }))
            .await;
        tokio::time::sleep(Duration::from_millis(round % 3)).await;
        let granted = match client.about("tasks/cancel", &task).await {
            Ok(reply) => {
                assert_eq!(reply["status"], "cancelled");
                true
            }
            Err(error) => {
                assert_eq!(error.code, -32602);
                false
            }
        };
        tokio::time::sleep(Duration::from_millis(5)).await;
        let result = client.about("tasks/result", &task).await.unwrap();
        let end = client.get(&task).await;
        if granted {
            assert_eq!(end["status"], "cancelled");
            assert_cancelled_result(&result, &task);
        } else {
            assert_eq!(end["status"], "completed");
            assert_eq!(text(&result), "rested");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_question_is_withdrawn_and_a_late_answer_ignored() {
    let (server, probe) = server();
    let mut client = Session::open(&server, CoreTasks).await;
    let task = client.start_task("ask", json!({})).await;
    let waiting = client
        .start("tasks/result", json!({ "taskId": task["taskId"] }))
        .await;
    let question = client.server_request().await;
    client.about("tasks/cancel", &task).await.unwrap();
    assert_cancelled_result(&client.response(&waiting).await.unwrap(), &task);
    let withdrawn = client.notification("notifications/cancelled").await;
    assert_eq!(withdrawn["params"]["requestId"], question["id"]);
    let late = json!({ "action": "accept", "content": { "name": "Ada" } });
    client.respond(&question["id"], late).await;
    assert_eq!(client.get(&task).await["status"], "cancelled");
    assert_eq!((probe.passed(), probe.dropped()), (0, 1));
}

/// Speaks at every chance.
#[mcp_tool(task)]
async fn babble(ctx: Context) -> &'static str {
    for word in 0..200 {
        ctx.log(LogLevel::Error, "blah");
        ctx.progress(word, None, "blah");
        tokio::task::yield_now().await;
    }
    "said"
}

/// 2025-11-25 progress: "MUST stop" at a terminal status, which a cancelled task has before the reply. Real
/// threads: the body runs while the task is cancelled.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_is_said_of_a_task_after_the_reply_to_its_cancel() {
    let server = Server::new("babbler").tools(tools![babble]);
    let builder = Client::builder(CoreTasks).log_level("debug");
    let mut client = Session::with(builder, &server).await;
    for round in 0..20 {
        let mut params = json!({ "name": "babble", "arguments": {}, "task": {} });
        params["_meta"] = json!({ "progressToken": round });
        let created = client.request("tools/call", params).await.unwrap();
        let params = json!({ "taskId": created["task"]["taskId"] });
        let cancelled = client.start("tasks/cancel", params).await;
        client.until(|message| message["id"] == cancelled).await;
        let before = client.transcript().len();
        client.request("ping", Value::Null).await.unwrap();
        for (_, message) in &client.transcript()[before..] {
            let method = message["method"].as_str();
            let allowed = matches!(method, None | Some("ping" | "notifications/tasks/status"));
            assert!(allowed, "{message}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn neither_the_creating_reply_nor_that_to_a_cancel_is_related_to_the_task() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let params = json!({ "name": "nap", "arguments": { "millis": 60_000 }, "task": {} });
    let created = client.request("tools/call", params).await.unwrap();
    assert!(created["_meta"].get(RELATED_TASK).is_none(), "{created}");
    let cancelled = client
        .about("tasks/cancel", &created["task"])
        .await
        .unwrap();
    assert!(
        cancelled["_meta"].get(RELATED_TASK).is_none(),
        "{cancelled}"
    );
}
