//! `tasks/result` and the notifications of a 2025-11-25 task.

use std::time::Duration;

use mcp_tasks::testing::ClientKind;
use serde_json::{Value, json};
use tests::session::{RELATED_TASK, Session, text};
use tests::tools::server;

use ClientKind::CoreTasks;

#[tokio::test(start_paused = true)]
async fn it_blocks_until_the_task_ends() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let task = client.start_task("nap", json!({ "millis": 5_000 })).await;
    let started = tokio::time::Instant::now();
    let result = client.about("tasks/result", &task).await.unwrap();
    assert!(
        started.elapsed() >= Duration::from_secs(4),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(text(&result), "rested");
}

#[tokio::test(start_paused = true)]
async fn everyone_who_waits_is_answered_once_under_an_id_of_their_own() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let task = client.start_task("nap", json!({ "millis": 1_000 })).await;
    let params = json!({ "taskId": task["taskId"] });
    let mut waiting = Vec::new();
    for _ in 0..5 {
        waiting.push(client.start("tasks/result", params.clone()).await);
    }
    for id in waiting.iter().rev() {
        let result = client.response(id).await.unwrap();
        assert_eq!(text(&result), "rested");
        assert_eq!(result["_meta"][RELATED_TASK]["taskId"], task["taskId"]);
    }
}

#[tokio::test(start_paused = true)]
async fn it_can_be_asked_for_again() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let task = client.start_task("echo", json!({ "text": "x" })).await;
    let first = client.about("tasks/result", &task).await.unwrap();
    let second = client.about("tasks/result", &task).await.unwrap();
    assert_eq!(first, second);
}

#[tokio::test(start_paused = true)]
async fn the_id_in_the_parameters_counts_and_not_the_related_one() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let one = client.start_task("echo", json!({ "text": "one" })).await;
    let two = client.start_task("echo", json!({ "text": "two" })).await;
    let params = json!({
        "taskId": one["taskId"], "_meta": { RELATED_TASK: { "taskId": two["taskId"] } },
    });
    assert_eq!(
        text(
            &client
                .request("tasks/result", params.clone())
                .await
                .unwrap()
        ),
        "one"
    );
    assert_eq!(
        client.request("tasks/get", params).await.unwrap()["taskId"],
        one["taskId"]
    );
}

#[tokio::test(start_paused = true)]
async fn it_blocks_nothing_else() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let task = client.start_task("nap", json!({ "millis": 5_000 })).await;
    let waiting = client
        .start("tasks/result", json!({ "taskId": task["taskId"] }))
        .await;
    assert_eq!(
        client.request("ping", Value::Null).await.unwrap(),
        json!({})
    );
    assert_eq!(client.get(&task).await["status"], "working");
    assert_eq!(
        client.call("echo", json!({ "text": "x" })).await.text(),
        "x"
    );
    client.response(&waiting).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_status_notification_holds_the_whole_task_and_no_relation() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let task = client.start_task("ask", json!({})).await;
    let waiting = client
        .start("tasks/result", json!({ "taskId": task["taskId"] }))
        .await;
    let question = client.server_request().await;
    client
        .respond(&question["id"], json!({ "action": "decline" }))
        .await;
    client.response(&waiting).await.unwrap();
    let said = client.leftovers().await;
    let statuses: Vec<&Value> = said
        .iter()
        .filter(|message| message["method"] == "notifications/tasks/status")
        .collect();
    assert!(!statuses.is_empty(), "the changes are told: {said:?}");
    for status in &statuses {
        let told = &status["params"];
        assert_eq!(told["taskId"], task["taskId"]);
        for field in ["status", "createdAt", "lastUpdatedAt"] {
            assert!(told[field].is_string(), "{field}: {told}");
        }
        assert!(told.get("ttl").is_some(), "{told}");
        assert!(told["_meta"].get(RELATED_TASK).is_none(), "{told}");
    }
    assert_eq!(
        statuses.last().map(|last| &last["params"]["status"]),
        Some(&json!("completed"))
    );
}

#[tokio::test(start_paused = true)]
async fn the_creating_reply_comes_before_anything_else_of_the_task() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    for tool in ["ask", "steps", "chatty", "export", "boom_late"] {
        let mut params = json!({ "name": tool, "arguments": {}, "task": {} });
        params["_meta"] = json!({ "progressToken": format!("p-{tool}") });
        client
            .request("logging/setLevel", json!({ "level": "debug" }))
            .await
            .unwrap();
        client.leftovers().await;
        let id = client.start("tools/call", params).await;
        let first = client.recv().await;
        assert_eq!(first["id"], id, "{tool}: {first}");
        assert!(first["result"]["task"].is_object(), "{tool}: {first}");
        client
            .about("tasks/cancel", &first["result"]["task"])
            .await
            .ok();
    }
}
