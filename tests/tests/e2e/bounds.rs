//! What a server holds at most, and what is said beyond it.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, End, every_client};
use serde_json::json;
use tests::session::{Session, TASK_CLIENTS, text};
use tests::tools::{Probe, echo, nap};

use ClientKind::{CoreTasks, TasksExtension};

/// Fails at great length.
#[mcp_tool(task)]
async fn complain() -> Result<String, ToolError> {
    Err("woe ".repeat(1 << 18).into())
}

fn server(change: impl FnOnce(&mut Limits)) -> Server {
    let mut limits = Limits::default();
    change(&mut limits);
    Server::new("bounded")
        .tools(tools![echo, nap, complain])
        .state(Probe::default())
        .limits(limits)
}

#[tokio::test(start_paused = true)]
async fn an_errors_text_is_cut() {
    let server = server(|_| {});
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("complain", json!({})).await;
        assert!(outcome.is_error(), "{kind}");
        let length = outcome.text().len();
        assert!(
            (7 * 1024..=8 * 1024 + 64).contains(&length),
            "{kind}: {length}"
        );
        if let Some(status) = outcome.status_messages.last() {
            assert!(status.len() <= 8 * 1024 + 64, "{kind}: {}", status.len());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_that_is_too_large_is_an_error() {
    let server = server(|limits| limits.result_bytes = 1000);
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let outcome = client
            .call("echo", json!({ "text": "x".repeat(2000) }))
            .await;
        assert!(
            outcome.is_error() || matches!(outcome.end, End::Error(_)),
            "{kind}: {outcome:?}"
        );
        assert_eq!(
            client.call("echo", json!({ "text": "x" })).await.text(),
            "x",
            "{kind}"
        );
    }
}

/// A task can be read until its ttl is over (X "Task Polling"), so what is full takes no more.
#[tokio::test(start_paused = true)]
async fn kept_results_leave_no_room_for_new_tasks_until_they_expire() {
    for kind in TASK_CLIENTS {
        let server = server(|limits| limits.kept_bytes = 100_000);
        let mut client = Session::open(&server, kind).await;
        let running = client.start_task("nap", json!({ "millis": 1_000 })).await;
        let mut made = Vec::new();
        let refused = loop {
            let id = client
                .start_call("echo", json!({ "text": "x".repeat(10_000) }))
                .await;
            match client.response(&id).await {
                Ok(created) => {
                    let task = created.get("task").unwrap_or(&created).clone();
                    client.get_until(&task, "completed").await;
                    made.push(task);
                }
                Err(error) => break error,
            }
            assert!(made.len() < 50, "{kind}: no end to it");
        };
        assert_eq!(refused.code, -32603, "{kind}");
        assert!(
            refused
                .data
                .is_some_and(|data| data["retryAfterMs"].is_u64()),
            "{kind}"
        );
        for task in &made {
            assert_eq!(
                client.get(task).await["status"],
                "completed",
                "{kind}: kept as promised"
            );
        }
        client.get_until(&running, "completed").await;
        tokio::time::sleep(Duration::from_secs(11 * 60)).await;
        client
            .start_task("echo", json!({ "text": "x".repeat(10_000) }))
            .await;
    }
}

#[tokio::test(start_paused = true)]
async fn calls_beyond_those_in_flight_wait_or_are_told() {
    let server = server(|limits| limits.in_flight = 4);
    let mut client = Session::open(&server, ClientKind::V2025_11_25).await;
    let mut ids = Vec::new();
    for _ in 0..20 {
        let params = json!({ "name": "nap", "arguments": { "millis": 100 } });
        ids.push(client.start("tools/call", params).await);
    }
    let mut answered = 0;
    for id in &ids {
        match client.response(id).await {
            Ok(result) => {
                assert_eq!(text(&result), "rested");
                answered += 1;
            }
            Err(error) => assert_eq!(error.code, -32603, "{error}"),
        }
    }
    assert!(answered >= 4, "{answered}");
    assert_eq!(
        client.call("echo", json!({ "text": "x" })).await.text(),
        "x"
    );
}

#[tokio::test(start_paused = true)]
async fn a_cancel_is_heard_however_much_is_in_flight() {
    let server = server(|limits| limits.in_flight = 4);
    let mut client = Session::open(&server, ClientKind::V2025_11_25).await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        let params = json!({ "name": "nap", "arguments": { "millis": 3_600_000 } });
        ids.push(client.start("tools/call", params).await);
    }
    for id in &ids {
        client
            .notify("notifications/cancelled", json!({ "requestId": id }))
            .await;
    }
    assert_eq!(
        client.call("echo", json!({ "text": "x" })).await.text(),
        "x"
    );
}

#[tokio::test(start_paused = true)]
async fn a_line_at_the_servers_own_limit_is_refused() {
    let server = server(|limits| limits.line_bytes = 1000);
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        client.send_line("x".repeat(1001).as_bytes()).await;
        let refused = client.recv().await;
        assert!(
            matches!(refused["error"]["code"].as_i64(), Some(-32700 | -32600)),
            "{kind}: {refused}"
        );
        assert!(refused.get("id").is_none(), "{kind}: {refused}");
        assert_eq!(
            client.call("echo", json!({ "text": "x" })).await.text(),
            "x",
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn quick_tasks_in_great_number_leave_room_for_the_next() {
    let server = server(|limits| limits.live_tasks = 10);
    for kind in [TasksExtension, CoreTasks] {
        let mut client = Session::open(&server, kind).await;
        for _ in 0..500 {
            let task = client.start_task("echo", json!({ "text": "x" })).await;
            client.get_until(&task, "completed").await;
        }
    }
}
