//! `notifications/cancelled`: ends a call in flight, and nothing else.

use std::future::poll_fn;
use std::task::Poll;

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, every_client};
use serde_json::{Value, json};
use tests::session::{Session, TASK_CLIENTS, text};
use tests::tools::{Probe, server};

use ClientKind::{CoreTasks, V2025_11_25};

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_is_never_answered_and_its_body_dropped() {
    for kind in every_client() {
        let (server, probe) = server();
        let mut client = Session::open(&server, kind).await;
        let params = json!({ "name": "wait", "arguments": { "millis": 2_000 } });
        let id = client.start("tools/call", params).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!((probe.started(), probe.dropped()), (1, 0), "{kind}");
        client
            .notify(
                "notifications/cancelled",
                json!({ "requestId": id, "reason": "bored" }),
            )
            .await;
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert_eq!(client.leftovers().await, Vec::<Value>::new(), "{kind}");
        assert_eq!(probe.dropped(), 1, "{kind}");
        assert_eq!(
            client.call("add", json!({ "a": 1, "b": 2 })).await.text(),
            "3",
            "{kind}"
        );
    }
}

/// Winds down for a second, and tells how often it was looked at meanwhile.
#[mcp_tool(task(after = "200ms"))]
async fn linger(token: CancellationToken, State(probe): State<Probe>) {
    token.cancelled().await;
    let rest = tokio::time::sleep(Duration::from_secs(1));
    tokio::pin!(rest);
    poll_fn(|cx| {
        drop(probe.enter());
        match rest.as_mut().poll(cx) {
            Poll::Pending if probe.started() < 100 => Poll::Pending,
            _ => Poll::Ready(()),
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_that_winds_down_becomes_no_task_and_rests() {
    let probe = Probe::default();
    let tools = tools![linger];
    let server = Server::new("lingers").tools(tools).state(probe.clone());
    let mut client = Session::open(&server, ClientKind::TasksExtension).await;
    let id = client
        .start("tools/call", json!({ "name": "linger" }))
        .await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    client
        .notify("notifications/cancelled", json!({ "requestId": id }))
        .await;
    assert_eq!(client.leftovers().await, Vec::<Value>::new());
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert!(probe.started() < 10, "looked at {} times", probe.started());
}

#[tokio::test(start_paused = true)]
async fn a_body_that_has_not_started_never_starts() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2025_11_25).await;
    for id in 100..200 {
        let params = json!({ "name": "wait", "arguments": { "millis": 2_000 } });
        client
            .send(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }))
            .await;
        client
            .notify("notifications/cancelled", json!({ "requestId": id }))
            .await;
    }
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(client.leftovers().await, Vec::<Value>::new());
    assert_eq!(probe.started(), probe.dropped());
}

#[tokio::test(start_paused = true)]
async fn a_cancel_of_an_unknown_or_answered_request_is_ignored() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let id = client.start("tools/call", json!({ "name": "noop" })).await;
        client.response(&id).await.unwrap();
        for unknown in [
            json!({ "requestId": id }),
            json!({ "requestId": 999 }),
            json!({ "requestId": "x" }),
        ] {
            client.notify("notifications/cancelled", unknown).await;
        }
        client.notify("notifications/cancelled", json!({})).await;
        assert_eq!(client.leftovers().await, Vec::<Value>::new(), "{kind}");
        assert_eq!(
            client.call("add", json!({ "a": 1, "b": 2 })).await.text(),
            "3",
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_id_is_its_json_type_too() {
    let mut client = Session::open(&server().0, V2025_11_25).await;
    let params = json!({ "name": "wait", "arguments": { "millis": 500 } });
    client
        .send(json!({ "jsonrpc": "2.0", "id": 70, "method": "tools/call", "params": params }))
        .await;
    client
        .notify("notifications/cancelled", json!({ "requestId": "70" }))
        .await;
    assert_eq!(text(&client.response(&json!(70)).await.unwrap()), "waited");
}

#[tokio::test(start_paused = true)]
async fn a_task_is_not_cancelled_by_the_id_of_its_call() {
    let (server, _) = server();
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        let id = client.start_call("nap", json!({ "millis": 500 })).await;
        let created = client.response(&id).await.unwrap();
        let task = created.get("task").unwrap_or(&created).clone();
        client
            .notify("notifications/cancelled", json!({ "requestId": id }))
            .await;
        client.get_until(&task, "completed").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_for_a_result_can_be_given_up_without_harm_to_the_task() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let task = client.start_task("nap", json!({ "millis": 5_000 })).await;
    let given_up = client
        .start("tasks/result", json!({ "taskId": task["taskId"] }))
        .await;
    client
        .notify("notifications/cancelled", json!({ "requestId": given_up }))
        .await;
    let result = client.about("tasks/result", &task).await.unwrap();
    assert_eq!(text(&result), "rested");
    assert_eq!(client.surprises().await, Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_takes_its_question_with_it() {
    let (server, probe) = server();
    for kind in [V2025_11_25, ClientKind::V2025_06_18] {
        let mut client = Session::open(&server, kind).await;
        let id = client
            .start("tools/call", json!({ "name": "ask", "arguments": {} }))
            .await;
        let question = client.server_request().await;
        client
            .notify("notifications/cancelled", json!({ "requestId": id }))
            .await;
        let withdrawn = client.notification("notifications/cancelled").await;
        assert_eq!(withdrawn["params"]["requestId"], question["id"], "{kind}");
        client
            .respond(&question["id"], json!({ "action": "decline" }))
            .await;
        assert_eq!(client.leftovers().await, Vec::<Value>::new(), "{kind}");
    }
    assert_eq!(probe.passed(), 0);
}
