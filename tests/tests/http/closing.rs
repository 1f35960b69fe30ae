//! A modern client cancels by closing: what it closes, and what it does not.

use std::time::Duration;

use mcp_tasks::testing::tables;
use serde_json::json;
use tests::http::{Request, Site};
use tests::tools::{Probe, server};
use tokio::io::AsyncWriteExt;

/// Lets everything happen that is due.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

fn inside(probe: &Probe) -> usize {
    probe.started() - probe.dropped()
}

#[tokio::test(start_paused = true)]
async fn closing_before_the_response_began_cancels_the_call() {
    let (server, probe) = server();
    let site = Site::open(server);
    let mut connection = site.connect();
    let call = Request::call("wait", json!({"millis": 60_000}));
    connection
        .write_all(&call.into_bytes())
        .await
        .expect("the server reads");
    settle().await;
    assert_eq!(inside(&probe), 1);
    drop(connection);
    settle().await;
    assert_eq!(inside(&probe), 0);
}

#[tokio::test(start_paused = true)]
async fn closing_the_stream_cancels_the_call() {
    let (server, probe) = server();
    let site = Site::open(server);
    let call = Request::call("wait", json!({"millis": 60_000}));
    let response = site.send(call).await;
    assert!(response.is_stream());
    assert_eq!(inside(&probe), 1);
    drop(response);
    settle().await;
    assert_eq!(inside(&probe), 0);
}

#[tokio::test(start_paused = true)]
async fn closing_never_cancels_a_task_whose_id_was_delivered() {
    let (server, probe) = server();
    let site = Site::open(server);
    let created = site
        .ask(Request::call("nap", json!({"millis": 60_000})))
        .await;
    let task = &created["result"];
    assert_eq!(task["resultType"], "task");
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert_eq!(inside(&probe), 1);
    let now = site.ask(Request::about("tasks/get", task)).await;
    assert_eq!(now["result"]["status"], "working");
    tokio::time::sleep(Duration::from_secs(31)).await;
    let now = site.ask(Request::about("tasks/get", task)).await;
    assert_eq!(now["result"]["status"], "completed");
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_client_left_before_it_was_made_is_cancelled() {
    let (server, probe) = server();
    let site = Site::open(server.clone());
    // Has a moment to be done without a task, in which its client leaves.
    let mut connection = site.connect();
    let call = Request::call("quick", json!({"millis": 60_000}));
    connection
        .write_all(&call.into_bytes())
        .await
        .expect("the server reads");
    settle().await;
    drop(connection);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(tables(&server).live_tasks, 0);
    assert_eq!(inside(&probe), 0);
}

#[tokio::test(start_paused = true)]
async fn a_parked_call_waits_for_its_client_to_come_back() {
    let (server, probe) = server();
    let site = Site::open(server);
    let inline = json!({"elicitation": {"form": {}}});
    let params = json!({"name": "ask", "arguments": {}});
    let asked = site
        .ask(Request::modern_with(inline.clone(), "tools/call", params))
        .await;
    assert_eq!(asked["result"]["resultType"], "input_required");
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(inside(&probe), 1);
    let retry = json!({
        "name": "ask",
        "arguments": {},
        "requestState": asked["result"]["requestState"],
        "inputResponses": {"name": {"action": "accept", "content": {"name": "Ada"}}},
    });
    let done = site
        .ask(Request::modern_with(inline, "tools/call", retry))
        .await;
    assert_eq!(done["result"]["content"][0]["text"], "Hello, Ada!");
    assert_eq!(probe.started(), 1, "the body ran once");
}

#[tokio::test(start_paused = true)]
async fn closing_ends_a_subscription() {
    let (server, _) = server();
    let site = Site::open(server.clone());
    let created = site
        .ask(Request::call("nap", json!({"millis": 3_600_000})))
        .await;
    let listen = json!({"notifications": {"taskIds": [created["result"]["taskId"]]}});
    let mut stream = site
        .send(Request::modern("subscriptions/listen", listen))
        .await;
    stream.message().await.expect("the acknowledgement");
    settle().await;
    let before = tables(&server).watches;
    drop(stream);
    settle().await;
    assert_eq!(tables(&server).watches, before - 1);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_winds_down_before_the_endpoint_has_ended() {
    let (server, _) = server();
    let site = Site::open(server.clone());
    // No task: this client knows none.
    let call = json!({"name": "wind_down", "arguments": {}});
    let call = Request::modern_with(json!({}), "tools/call", call);
    drop(site.send(call).await);
    settle().await;
    let left = tables(&server);
    assert_eq!((left.requests, left.runs), (0, 1), "it winds down");
    site.service.shut_down().await;
    assert_eq!(tables(&server).runs, 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_comes_while_the_server_ends_is_ended_like_the_others() {
    let (server, probe) = server();
    let site = Site::open(server);
    site.service.shut_down().await;
    let start = tokio::time::Instant::now();
    let call = json!({"name": "wait", "arguments": {"millis": 60_000}});
    let call = Request::modern_with(json!({}), "tools/call", call);
    let refused = site.ask(call).await;
    assert_eq!(refused["error"]["code"], -32603, "{refused}");
    assert!(start.elapsed() < Duration::from_secs(6), "the drain is 5 s");
    assert_eq!(inside(&probe), 0);
}
