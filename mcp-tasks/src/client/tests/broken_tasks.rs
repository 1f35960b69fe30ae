//! Tasks that servers tell of late, twice, in the wrong order, or as no server should.

use std::time::Duration;

use serde_json::{Value, json};

use super::script::{Script, code, created, task, text};
use crate::client::{Client, ClientError, Wire};

#[tokio::test(start_paused = true)]
async fn a_task_that_answers_by_another_name_is_an_error() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let request = script.expect("tools/call").await;
        script.reply(&request, created()).await;
        script.refuse_to_listen().await;
        let look = script.expect("tasks/get").await;
        script
            .reply(&look, task("working", json!({ "taskId": "t-2" })))
            .await;
        let cancel = script.expect("tasks/cancel").await;
        assert_eq!(cancel["params"]["taskId"], "t-1");
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert!(
        matches!(result, Err(ClientError::Protocol { .. })),
        "{result:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_status_does_not_go_back_from_an_end() {
    let tasks = json!({ "tasks": { "requests": { "tools": { "call": {} } } } });
    let (client, mut script) = Script::legacy(Client::builder(), Wire::V2025_11_25, tasks).await;
    let state = |status: &str| json!({ "taskId": "t-1", "status": status, "ttl": null, "pollInterval": 100 });
    let begin = async {
        let call = client.begin_call_tool("work", Value::Null).await;
        call.expect("a call")
    };
    let serve = async {
        let list = script.expect("tools/list").await;
        let tool = json!({ "name": "work", "inputSchema": {}, "execution": { "taskSupport": "optional" } });
        script.reply(&list, json!({ "tools": [tool] })).await;
        script.expect("tools/call").await
    };
    let (call, request) = tokio::join!(begin, serve);
    script
        .reply(&request, json!({ "task": state("working") }))
        .await;
    call.task_id().await.expect("a task");
    script
        .notify("notifications/tasks/status", state("completed"))
        .await;
    let fetch = script.expect("tasks/result").await;
    script
        .notify("notifications/tasks/status", state("working"))
        .await;
    let look = script.expect("tasks/get").await;
    script.reply(&look, state("working")).await;
    let look = script.expect("tasks/get").await;
    assert_eq!(
        call.task().expect("a task").status,
        crate::client::Status::Completed
    );
    script.reply(&look, state("completed")).await;
    script.reply(&fetch, text("done")).await;
    assert_eq!(call.result().await.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_cannot_be_read_hides_no_other_of_its_list() {
    let tasks = json!({ "tasks": { "list": {} } });
    let (client, mut script) = Script::legacy(Client::builder(), Wire::V2025_11_25, tasks).await;
    let serve = async {
        let list = script.expect("tasks/list").await;
        let tasks = json!([
            { "taskId": "a", "status": "working" },
            { "taskId": "b", "status": "dozing" },
            7,
            { "taskId": "c", "status": "completed" },
        ]);
        script.reply(&list, json!({ "tasks": tasks })).await;
    };
    let (page, ()) = tokio::join!(client.list_tasks(None), serve);
    let ids: Vec<_> = page
        .expect("a page")
        .tasks
        .iter()
        .map(|task| task.id.to_string())
        .collect();
    assert_eq!(ids, ["a", "c"]);
}

#[tokio::test(start_paused = true)]
async fn a_status_that_comes_before_the_reply_that_creates_its_task_counts() {
    let tasks = json!({ "tasks": { "requests": { "tools": { "call": {} } } } });
    let (client, mut script) = Script::legacy(Client::builder(), Wire::V2025_11_25, tasks).await;
    let state = |status: &str| json!({ "taskId": "t-1", "status": status, "ttl": null, "pollInterval": 60_000 });
    let serve = async {
        let list = script.expect("tools/list").await;
        let tool = json!({ "name": "work", "execution": { "taskSupport": "optional" } });
        script.reply(&list, json!({ "tools": [tool] })).await;
        let request = script.expect("tools/call").await;
        script
            .notify("notifications/tasks/status", state("completed"))
            .await;
        script
            .reply(&request, json!({ "task": state("working") }))
            .await;
        let fetch = script.expect("tasks/result").await;
        script.reply(&fetch, text("done")).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_busy_with_a_look_is_left_alone_as_long_as_it_says() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let request = script.expect("tools/call").await;
        script.reply(&request, created()).await;
        script.refuse_to_listen().await;
        let look = script.expect("tasks/get").await;
        let data = json!({ "retryAfterMs": 20_000 });
        let refused = tokio::time::Instant::now();
        script
            .refuse_with(
                &look,
                json!({ "code": -32603, "message": "too many requests", "data": data }),
            )
            .await;
        let look = script.expect("tasks/get").await;
        assert!(refused.elapsed() >= Duration::from_secs(20));
        script.end_task(&look).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_ends_just_before_its_time_is_over_is_seen_to_end() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let request = script.expect("tools/call").await;
        let mut created = created();
        created["pollIntervalMs"] = Value::Null;
        script.reply(&request, created.clone()).await;
        script.refuse_to_listen().await;
        let began = tokio::time::Instant::now();
        loop {
            let look = script.next().await;
            assert_eq!(look["method"], "tasks/get", "it was given up");
            let state = if began.elapsed() > Duration::from_secs(59) {
                task(
                    "completed",
                    json!({ "pollIntervalMs": null, "result": text("done") }),
                )
            } else {
                task("working", json!({ "pollIntervalMs": null }))
            };
            let ended = state["status"] == "completed";
            script.reply(&look, state).await;
            if ended {
                break;
            }
        }
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn odd_intervals_neither_hammer_the_server_nor_stop_the_client() {
    for interval in [json!(0), json!(-5), json!(0.25), json!(1e300), json!("7")] {
        let (client, mut script) = Script::modern(Client::builder()).await;
        let serve = async {
            let request = script.expect("tools/call").await;
            let mut created = created();
            created["pollIntervalMs"] = interval.clone();
            created["ttlMs"] = Value::Null;
            script.reply(&request, created).await;
            script.refuse_to_listen().await;
            let began = tokio::time::Instant::now();
            let look = script.expect("tasks/get").await;
            assert!(began.elapsed() >= Duration::from_millis(10), "{interval}");
            assert!(began.elapsed() <= Duration::from_secs(1), "{interval}");
            script.end_task(&look).await;
        };
        let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
        assert_eq!(result.expect("a result").text(), "done");
    }
}

#[tokio::test(start_paused = true)]
async fn two_calls_follow_one_task() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let reference = crate::client::Reference::new("t-1", Wire::V2026_07_28);
    let one = client.resume(reference.clone()).await.expect("a call");
    let two = client.resume(reference).await.expect("a call");
    for _ in 0..2 {
        let look = script.expect("tasks/get").await;
        script.reply(&look, task("working", json!({}))).await;
    }
    for _ in 0..2 {
        script.refuse_to_listen().await;
    }
    script
        .notify(
            "notifications/tasks",
            task("completed", json!({ "result": text("done") })),
        )
        .await;
    let (one, two) = tokio::join!(one.result(), two.result());
    assert_eq!(one.expect("a result").text(), "done");
    assert_eq!(two.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_answers_cancellation_by_its_end_has_that_end() {
    let (_client, call, mut script) = Script::with_task(Client::builder()).await;
    call.task_id().await.expect("a task");
    let serve = async {
        let cancel = script.expect("tasks/cancel").await;
        script.refuse(&cancel, -32602, "the task has ended").await;
        let look = script.expect("tasks/get").await;
        script.end_task(&look).await;
    };
    let (cancelled, ()) = tokio::join!(call.cancel(), serve);
    assert_eq!(code(cancelled), -32602);
    assert_eq!(call.result().await.expect("a result").text(), "done");
}
