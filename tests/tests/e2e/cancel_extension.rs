//! `tasks/cancel` in 2026-07-28: an acknowledgement, then whatever wins.

use std::time::Duration;

use mcp_tasks::testing::ClientKind;
use serde_json::{Value, json};
use tests::session::{Session, accepted, text};
use tests::tools::server;

use ClientKind::TasksExtension;

/// An acknowledgement has nothing but its type and metadata.
fn assert_ack(result: &Value) {
    assert_eq!(result["resultType"], "complete");
    let more = result
        .as_object()
        .expect("an object")
        .keys()
        .any(|key| key != "resultType" && key != "_meta");
    assert!(!more, "more than an acknowledgement: {result}");
}

#[tokio::test(start_paused = true)]
async fn a_cancel_is_acknowledged_and_the_body_dropped() {
    let (server, probe) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    let task = client.start_task("nap", json!({ "millis": 60_000 })).await;
    client.get_until(&task, "working").await;
    assert_ack(&client.about("tasks/cancel", &task).await.unwrap());
    let now = client.get_until(&task, "cancelled").await;
    for absent in ["result", "error", "inputRequests"] {
        assert!(now.get(absent).is_none(), "{absent} in {now}");
    }
    assert_eq!((probe.started(), probe.dropped()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_cancel_of_an_ended_task_is_acknowledged_and_changes_nothing() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    for (tool, end) in [("refuse", "failed"), ("fail", "completed")] {
        let task = client.start_task(tool, json!({})).await;
        let before = client.get_until(&task, end).await;
        assert_ack(&client.about("tasks/cancel", &task).await.unwrap());
        let after = client.get(&task).await;
        assert_eq!(before, after);
    }
}

#[tokio::test(start_paused = true)]
async fn a_second_cancel_is_acknowledged_too() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let task = client.start_task("nap", json!({ "millis": 60_000 })).await;
    for _ in 0..2 {
        assert_ack(&client.about("tasks/cancel", &task).await.unwrap());
    }
    client.get_until(&task, "cancelled").await;
}

#[tokio::test(start_paused = true)]
async fn a_body_with_a_token_winds_down_and_its_result_stands() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let task = client.start_task("wind_down", json!({})).await;
    client.get_until(&task, "working").await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert_ack(&client.about("tasks/cancel", &task).await.unwrap());
    let now = client.get_until(&task, "completed").await;
    assert_eq!(text(&now["result"]), "wound down");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_question_is_withdrawn() {
    let (server, probe) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    let task = client.start_task("ask", json!({})).await;
    client.get_until(&task, "input_required").await;
    client.about("tasks/cancel", &task).await.unwrap();
    let now = client.get_until(&task, "cancelled").await;
    assert!(now.get("inputRequests").is_none(), "{now}");
    let late = client
        .update(&task, json!({ "name": accepted(json!({ "name": "Ada" })) }))
        .await;
    assert_ack(&late.unwrap());
    assert_eq!(client.get(&task).await, now);
    assert_eq!((probe.passed(), probe.dropped()), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_cancel_right_after_the_start_leaves_one_end() {
    let (server, _) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    for _ in 0..200 {
        let task = client.start_task("echo", json!({ "text": "x" })).await;
        assert_ack(&client.about("tasks/cancel", &task).await.unwrap());
        let mut end = client.get(&task).await;
        while end["status"] == "working" {
            tokio::time::sleep(Duration::from_millis(1)).await;
            end = client.get(&task).await;
        }
        match end["status"].as_str() {
            Some("completed") => assert_eq!(text(&end["result"]), "x"),
            Some("cancelled") => assert!(end.get("result").is_none(), "{end}"),
            _ => panic!("neither completed nor cancelled: {end}"),
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert_eq!(client.get(&task).await, end);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancel_at_the_very_end_leaves_one_end() {
    let (server, _) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    for _ in 0..200 {
        let task = client.start_task("nap", json!({ "millis": 5 })).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert_ack(&client.about("tasks/cancel", &task).await.unwrap());
        let end = client.get(&task).await;
        assert!(
            matches!(
                end["status"].as_str(),
                Some("working" | "completed" | "cancelled")
            ),
            "{end}"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
        let settled = client.get(&task).await;
        assert!(
            matches!(settled["status"].as_str(), Some("completed" | "cancelled")),
            "{settled}"
        );
        assert!(
            end["status"] == "working" || end == settled,
            "{end} became {settled}"
        );
    }
}
