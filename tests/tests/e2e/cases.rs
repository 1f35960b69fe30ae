//! Cases that broke other servers and that no other module here holds.

use std::time::{Duration, Instant};

use mcp_tasks::testing::{Client, ClientKind, every_client};
use mcp_tasks::{Limits, Server, tools};
use serde_json::{Value, json};
use tests::session::{Session, TASK_CLIENTS, accepted, text};
use tests::tools::{Probe, blocking_nap, hold, nap, server};

use ClientKind::{CoreTasks, TasksExtension, V2025_11_25};

#[tokio::test(start_paused = true)]
async fn one_function_serves_every_client_with_the_same_text() {
    let (server, _) = server();
    for kind in every_client().filter(|kind| *kind != ClientKind::V2025_03_26) {
        let mut client = Session::open(&server, kind).await;
        let outcome = client
            .call("ask_then_steps", json!({}))
            .accept(json!({ "name": "Ada" }))
            .await;
        assert_eq!(outcome.text(), "done", "{kind}");
        assert_eq!(outcome.questions.len(), 1, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_is_resumed_and_never_replayed() {
    for kind in every_client().filter(|kind| *kind != ClientKind::V2025_03_26) {
        let (server, probe) = server();
        let mut client = Session::open(&server, kind).await;
        let call = client.call("ask_in_turn", json!({}));
        call.accept(json!({ "name": "Ada" }))
            .accept(json!({ "name": "Bob" }))
            .await;
        assert_eq!((probe.started(), probe.passed()), (1, 2), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_over_the_limit_is_refused_with_a_time_to_come_back() {
    let mut limits = Limits::default();
    limits.live_tasks = 2;
    let server = Server::new("small")
        .tools(tools![nap])
        .state(Probe::default())
        .limits(limits);
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        let mut made = Vec::new();
        for _ in 0..2 {
            made.push(client.start_task("nap", json!({ "millis": 1_000 })).await);
        }
        let id = client.start_call("nap", json!({ "millis": 1_000 })).await;
        let error = client.response(&id).await.unwrap_err();
        assert_eq!(error.code, -32603, "{kind}");
        assert_eq!(error.message, "too many running tasks", "{kind}");
        assert!(
            error.data.is_some_and(|data| data["retryAfterMs"].is_u64()),
            "{kind}"
        );
        for task in &made {
            client.get_until(task, "completed").await;
        }
        client.start_task("nap", json!({ "millis": 1 })).await;
        tokio::time::sleep(Duration::from_secs(5)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_queued_task_says_so_and_can_be_cancelled_before_it_starts() {
    let probe = Probe::default();
    let server = Server::new("queue")
        .tools(tools![hold])
        .state(probe.clone());
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        let first = client.start_task("hold", json!({})).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        let before = probe.started();
        let second = client.start_task("hold", json!({})).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        let waiting = client.get(&second).await;
        assert_eq!(waiting["status"], "working", "{kind}");
        assert!(waiting["statusMessage"].is_string(), "{kind}: {waiting}");
        client.about("tasks/cancel", &second).await.unwrap();
        client.get_until(&second, "cancelled").await;
        client.about("tasks/cancel", &first).await.unwrap();
        client.get_until(&first, "cancelled").await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(probe.started(), before, "{kind}: the second never started");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_waits_for_an_answer_lets_others_run() {
    let (server, _) = server();
    let server = server.configure("ask", |policy| policy.max_running = Some(1));
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        let first = client.start_task("ask", json!({})).await;
        client.get_until(&first, "input_required").await;
        let second = client.start_task("ask", json!({})).await;
        client.get_until(&second, "input_required").await;
        for task in [&first, &second] {
            client.about("tasks/cancel", task).await.unwrap();
        }
    }
}

/// Real time: a blocking body has a real thread.
#[tokio::test]
async fn a_blocking_body_holds_up_nobody() {
    let server = Server::new("blocking")
        .tools(tools![blocking_nap, nap])
        .state(Probe::default());
    let mut client = Session::open(&server, V2025_11_25).await;
    let slow = client
        .start(
            "tools/call",
            json!({ "name": "blocking_nap", "arguments": { "millis": 1500 } }),
        )
        .await;
    let started = Instant::now();
    for _ in 0..5 {
        client.request("ping", Value::Null).await.unwrap();
        client.call("nap", json!({ "millis": 1 })).await;
    }
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(text(&client.response(&slow).await.unwrap()), "rested");
}

/// Real time: a blocking body has a real thread.
#[tokio::test]
async fn a_blocking_body_that_never_looks_is_cancelled_without_it() {
    let server = Server::new("blocking").tools(tools![blocking_nap]);
    let mut client = Session::open(&server, CoreTasks).await;
    let task = client
        .start_task("blocking_nap", json!({ "millis": 600 }))
        .await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let started = Instant::now();
    let reply = client.about("tasks/cancel", &task).await.unwrap();
    assert_eq!(reply["status"], "cancelled");
    assert!(
        started.elapsed() < Duration::from_millis(300),
        "{:?}",
        started.elapsed()
    );
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(
        client.get(&task).await["status"],
        "cancelled",
        "its late result is discarded"
    );
}

#[tokio::test(start_paused = true)]
async fn calls_run_side_by_side() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2025_11_25).await;
    let started = tokio::time::Instant::now();
    let mut ids = Vec::new();
    for _ in 0..50 {
        ids.push(
            client
                .start(
                    "tools/call",
                    json!({ "name": "wait", "arguments": { "millis": 1000 } }),
                )
                .await,
        );
    }
    for id in &ids {
        client.response(id).await.unwrap();
    }
    assert!(
        started.elapsed() < Duration::from_secs(2),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(probe.started(), 50);
}

#[tokio::test(start_paused = true)]
async fn a_client_without_elicitation_among_others_changes_nothing_for_them() {
    let (server, _) = server();
    let mut deaf = Session::with(
        Client::builder(TasksExtension).capabilities(json!({})),
        &server,
    )
    .await;
    let mut able = Session::open(&server, TasksExtension).await;
    let task = able.start_task("ask", json!({})).await;
    assert_eq!(deaf.call("ask", json!({})).await.error().code, -32021);
    able.get_until(&task, "input_required").await;
    able.update(&task, json!({ "name": accepted(json!({ "name": "Ada" })) }))
        .await
        .unwrap();
    able.get_until(&task, "completed").await;
}
