//! What the conformance suite's client scenario for tasks asks of a client, in one conversation over HTTP.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::script::{code, discovery, text};
use super::site::{Said, Sent, Site};
use crate::client::{Client, ClientError, Status};

const INTERVAL: Duration = Duration::from_millis(300);

/// How often each task has been looked at, and when.
type Looks = Arc<Mutex<HashMap<String, Vec<Instant>>>>;

fn task(id: &str, status: &str, more: Value) -> Value {
    let mut task = json!({
        "resultType": "complete", "taskId": id, "status": status, "ttlMs": 60_000, "pollIntervalMs": 300,
        "createdAt": "2026-07-28T00:00:00Z", "lastUpdatedAt": "2026-07-28T00:00:00Z",
    });
    if let (Value::Object(task), Value::Object(more)) = (&mut task, more) {
        task.extend(more);
    }
    task
}

fn create(id: &str) -> Value {
    task(id, "working", json!({ "resultType": "task" }))
}

fn site(looks: &Looks) -> Site {
    let looks = Arc::clone(looks);
    let cancelled = Mutex::new(false);
    Site::new(move |sent: &Sent| {
        let params = &sent.body["params"];
        let id = params["taskId"].as_str().unwrap_or_default();
        match sent.rpc() {
            "server/discover" => Said::result(sent, discovery()),
            "tools/list" => Said::result(sent, json!({ "resultType": "complete", "tools": [] })),
            "tools/call" => Said::result(
                sent,
                match params["name"].as_str() {
                    Some("sync_echo") => text("echo"),
                    Some("quick_task") => create("quick-ü"),
                    Some("failing_task") => create("failing"),
                    _ => create("cancel"),
                },
            ),
            "ping" => Said::result(sent, create("bogus")),
            "tasks/cancel" => {
                *cancelled.lock().expect("no panic") = true;
                Said::result(sent, json!({ "resultType": "complete" }))
            }
            "tasks/get" => {
                let mut looks = looks.lock().expect("no panic");
                let looks = looks.entry(id.to_owned()).or_default();
                looks.push(Instant::now());
                let state = match id {
                    "quick-ü" if looks.len() < 2 => task(id, "working", json!({})),
                    "quick-ü" => task(id, "completed", json!({ "result": text("quick") })),
                    "failing" => task(
                        id,
                        "failed",
                        json!({ "error": { "code": -32603, "message": "no" } }),
                    ),
                    _ if *cancelled.lock().expect("no panic") => task(id, "cancelled", json!({})),
                    _ => task(id, "working", json!({})),
                };
                Said::result(sent, state)
            }
            _ => Said::error(
                404,
                sent,
                json!({ "code": -32601, "message": "Method not found" }),
            ),
        }
    })
}

#[tokio::test(start_paused = true)]
async fn a_client_lives_through_every_kind_of_task() {
    let looks = Looks::default();
    let site = site(&looks);
    let client = Client::connect(site.endpoint())
        .await
        .expect("a connection");
    client.list_tools().await.expect("a list");
    let count = |id: &str| looks.lock().expect("no panic").get(id).map_or(0, Vec::len);

    // A result is a result, whether it is a task's or not.
    let began = Instant::now();
    assert_eq!(
        client
            .call_tool("quick_task", Value::Null)
            .await
            .expect("a result")
            .text(),
        "quick"
    );
    assert_eq!(
        client
            .call_tool("sync_echo", Value::Null)
            .await
            .expect("a result")
            .text(),
        "echo"
    );

    // The interval is the server's.
    let mut last = began;
    for look in &looks.lock().expect("no panic")["quick-ü"] {
        assert!(*look - last >= INTERVAL);
        last = *look;
    }

    // A failed task fails the call, and is not looked at again.
    assert_eq!(
        code(client.call_tool("failing_task", Value::Null).await),
        -32603
    );
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(count("failing"), 1);

    // A task is cancelled by its own method, and then seen to be.
    let call = client
        .begin_call_tool("cancel_task", Value::Null)
        .await
        .expect("a call");
    call.task_id().await.expect("a task");
    call.cancel().await.expect("an acknowledgement");
    assert!(matches!(
        call.result().await,
        Err(ClientError::Cancelled { .. })
    ));
    assert_eq!(call.task().map(|task| task.status), Some(Status::Cancelled));
    assert_eq!(site.sent_as("tasks/cancel").len(), 1);
    assert!(site.sent_as("notifications/cancelled").is_empty());

    // A task in place of another method's result is none.
    let pinged = client.request("ping", Value::Null).await;
    assert!(
        matches!(pinged, Err(ClientError::Protocol { .. })),
        "{pinged:?}"
    );
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(count("bogus"), 0);

    // The extension is declared, and tasks are named in a header.
    for sent in site.sent() {
        let meta = &sent.body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        assert!(
            meta["extensions"]["io.modelcontextprotocol/tasks"].is_object(),
            "{}",
            sent.body
        );
        if sent.rpc().starts_with("tasks/") {
            let expected = match sent.body["params"]["taskId"].as_str() {
                Some("quick-ü") => "=?base64?cXVpY2stw7w=?=",
                plain => plain.expect("an id"),
            };
            assert_eq!(sent.header("mcp-name"), Some(expected));
        }
    }
}
