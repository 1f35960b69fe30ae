//! The rules of the 2025-11-25 tasks chapter about what a message holds, over HTTP.

use std::collections::HashSet;
use std::time::Duration;

use mcp_tasks::Limits;
use serde_json::{Value, json};
use tests::http::{LegacySession, Site};
use tests::session::RELATED_TASK;

use crate::tools::server;

async fn open(site: &Site) -> LegacySession<'_> {
    LegacySession::open_as(site, "2025-11-25", Some("ada")).await
}

fn about(task: &Value) -> Value {
    json!({"taskId": task["taskId"]})
}

/// Fails unless this is a whole task without a relation to one.
fn is_whole(task: &Value) {
    assert!(task["taskId"].is_string(), "{task}");
    assert!(task["status"].is_string(), "{task}");
    for time in ["createdAt", "lastUpdatedAt"] {
        let time = task[time].as_str().expect("a time");
        assert!(time.ends_with('Z') && time.contains('T'), "{time}");
    }
    assert!(task["ttl"].is_u64(), "{task}");
    assert!(task["pollInterval"].is_u64(), "{task}");
    assert_eq!(task["_meta"].get(RELATED_TASK), None, "{task}");
}

#[tokio::test(start_paused = true)]
async fn every_task_that_is_told_of_is_told_whole() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    let task = session
        .start_task(1, "nap", &json!({"millis": 60_000}))
        .await;
    is_whole(&task);
    assert_eq!(task["status"], "working");
    is_whole(&session.ask(2, "tasks/get", &about(&task)).await["result"]);
    let list = session.ask(3, "tasks/list", &json!({})).await;
    assert_eq!(list["result"]["_meta"].get(RELATED_TASK), None);
    is_whole(&list["result"]["tasks"][0]);
    is_whole(&session.ask(4, "tasks/cancel", &about(&task)).await["result"]);
}

#[tokio::test(start_paused = true)]
async fn ids_are_long_and_never_the_same() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    let mut ids = HashSet::new();
    for number in 0..50 {
        let task = session
            .start_task(number, "echo", &json!({"text": "x"}))
            .await;
        let id = task["taskId"].as_str().expect("a string").to_owned();
        assert!(id.len() >= 32, "{id}");
        assert!(ids.insert(id));
    }
}

#[tokio::test(start_paused = true)]
async fn a_creating_reply_does_not_wait_for_the_work() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    let start = tokio::time::Instant::now();
    session
        .start_task(1, "nap", &json!({"millis": 60_000}))
        .await;
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_wish_for_a_time_to_live_is_answered_with_the_actual_one() {
    let mut limits = Limits::default();
    limits.max_keep = Duration::from_secs(3600);
    let site = Site::open(server().0.limits(limits));
    let session = open(&site).await;
    for (wish, kept) in [(1, 600_000), (1_800_000, 1_800_000), (u64::MAX, 3_600_000)] {
        let params = json!({"name": "echo", "arguments": {"text": "x"}, "task": {"ttl": wish}});
        let task = session.ask(1, "tools/call", &params).await["result"]["task"].take();
        tokio::time::sleep(Duration::from_millis(1)).await;
        let now = session.ask(2, "tasks/get", &about(&task)).await["result"].take();
        assert_eq!(now["status"], "completed");
        assert_eq!(now["ttl"], kept, "{wish}");
    }
    for no_time in [json!(-1), json!("1m"), json!([])] {
        let task = json!({"ttl": no_time});
        let params = json!({"name": "echo", "arguments": {"text": "x"}, "task": task});
        let refused = session.ask(1, "tools/call", &params).await;
        assert_eq!(refused["error"]["code"], -32602, "{no_time}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_time_is_over_is_gone_for_every_method() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    let task = session.start_task(1, "echo", &json!({"text": "x"})).await;
    tokio::time::sleep(Duration::from_secs(601)).await;
    for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
        let gone = session.ask(2, method, &about(&task)).await;
        assert_eq!(gone["error"]["code"], -32602, "{method}");
        let text = gone["error"]["message"].as_str().expect("a text");
        assert!(text.contains("expired"), "{method}: {text}");
    }
    let list = session.ask(3, "tasks/list", &json!({})).await;
    assert_eq!(list["result"]["tasks"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn the_id_in_the_parameters_counts_and_no_related_one() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    let task = session
        .start_task(1, "echo", &json!({"text": "this"}))
        .await;
    let other = session
        .start_task(2, "echo", &json!({"text": "other"}))
        .await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    let mut params = about(&task);
    params["_meta"] = json!({RELATED_TASK: about(&other)});
    let told = session.ask(3, "tasks/result", &params).await["result"].take();
    assert_eq!(told["content"][0]["text"], "this");
    assert_eq!(told["_meta"][RELATED_TASK], about(&task));
    let now = session.ask(4, "tasks/get", &params).await;
    assert_eq!(now["result"]["taskId"], task["taskId"]);
    let refused = session.ask(5, "tasks/cancel", &params).await;
    assert_eq!(refused["error"]["code"], -32602);
}

#[tokio::test(start_paused = true)]
async fn a_change_of_state_is_told_with_the_whole_task_and_no_relation() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    let mut own = site.send(session.get()).await;
    let task = session
        .start_task(1, "nap", &json!({"millis": 5_000}))
        .await;
    loop {
        let told = own.message().await.expect("a state");
        assert_eq!(told["method"], "notifications/tasks/status", "{told}");
        is_whole(&told["params"]);
        assert_eq!(told["params"]["taskId"], task["taskId"]);
        if told["params"]["status"] == "completed" {
            break;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn progress_ends_with_the_task() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    let mut own = site.send(session.get()).await;
    let params = json!({
        "name": "steps", "arguments": {}, "task": {}, "_meta": {"progressToken": "p"},
    });
    let task = session.ask(1, "tools/call", &params).await["result"]["task"].take();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let cancelled = session.ask(2, "tasks/cancel", &about(&task)).await;
    assert_eq!(cancelled["result"]["status"], "cancelled");
    tokio::time::sleep(Duration::from_secs(60)).await;
    let mut ended = false;
    while let Some(event) = own.event().await {
        if event.comment {
            break;
        }
        let Some(Ok(told)) = event.data.map(|data| serde_json::from_str::<Value>(&data)) else {
            continue;
        };
        let is_progress = told["method"] == "notifications/progress";
        assert!(!(ended && is_progress), "{told}");
        ended |= told["params"]["status"] == "cancelled";
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_comes_in_pages_and_takes_no_cursor_but_its_own() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    let mut made = HashSet::new();
    for number in 0..120 {
        let task = session
            .start_task(number, "echo", &json!({"text": "x"}))
            .await;
        made.insert(task["taskId"].to_string());
    }
    let (mut listed, mut params) = (HashSet::new(), json!({}));
    loop {
        let page = session.ask(1, "tasks/list", &params).await["result"].take();
        for task in page["tasks"].as_array().expect("tasks") {
            assert!(listed.insert(task["taskId"].to_string()), "listed twice");
        }
        match page.get("nextCursor") {
            Some(cursor) => params = json!({"cursor": cursor}),
            None => break,
        }
    }
    assert_eq!(listed, made);
    for cursor in [json!(""), json!("nonsense"), json!(7), json!({})] {
        let refused = session
            .ask(2, "tasks/list", &json!({"cursor": cursor}))
            .await;
        assert_eq!(refused["error"]["code"], -32602, "{cursor}");
    }
}

#[tokio::test(start_paused = true)]
async fn older_revisions_know_no_tasks() {
    let site = Site::open(server().0);
    for revision in ["2025-03-26", "2025-06-18"] {
        let session = LegacySession::open(&site, revision).await;
        assert_eq!(session.offered.get("tasks"), None, "{revision}");
        let params = json!({"name": "echo", "arguments": {"text": "x"}, "task": {"ttl": 1}});
        let told = session.ask(1, "tools/call", &params).await;
        assert_eq!(told["result"]["content"][0]["text"], "x", "{revision}");
        for method in ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"] {
            let refused = session.ask(2, method, &json!({"taskId": "0123"})).await;
            assert_eq!(refused["error"]["code"], -32601, "{revision} {method}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_beyond_the_limit_is_refused_with_a_time_to_come_back() {
    let mut limits = Limits::default();
    limits.live_tasks_per_principal = 1;
    let site = Site::open(server().0.limits(limits));
    let session = open(&site).await;
    session
        .start_task(1, "nap", &json!({"millis": 60_000}))
        .await;
    let params = json!({"name": "nap", "arguments": {"millis": 1}, "task": {}});
    let refused = session.ask(2, "tools/call", &params).await["error"].take();
    assert_eq!(refused["code"], -32603);
    assert_eq!(refused["message"], "too many running tasks");
    assert!(refused["data"]["retryAfterMs"].is_u64(), "{refused}");
    let other = LegacySession::open_as(&site, "2025-11-25", Some("eve")).await;
    other.start_task(1, "nap", &json!({"millis": 1})).await;
}

#[tokio::test(start_paused = true)]
async fn a_client_that_cannot_be_asked_is_not_asked() {
    let site = Site::open(server().0);
    for capabilities in [
        json!({}),
        json!({"elicitation": {"url": {}}}),
        json!({"sampling": {}}),
    ] {
        let session = LegacySession::open_with(&site, "2025-11-25", capabilities).await;
        let inline = site.send(session.call(1, "ask", &json!({}))).await;
        assert!(!inline.is_stream());
        assert_eq!(inline.json().await["result"]["isError"], true);
        let task = session.start_task(2, "ask", &json!({})).await;
        let mut stream = session.result_stream(3, &task).await;
        let told = if stream.is_stream() {
            stream.messages().await.pop().expect("a response")
        } else {
            stream.json().await
        };
        assert_eq!(told["id"], 3);
        assert_eq!(told["result"]["isError"], true, "{told}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_of_the_wrong_shape_is_an_error_to_the_tool_and_to_nobody_else() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    for answer in [
        json!(7),
        json!({}),
        json!({"action": "maybe"}),
        json!({"action": "accept"}),
        json!({"action": "accept", "content": {"name": 7}}),
    ] {
        let task = session.start_task(1, "ask", &json!({})).await;
        let mut stream = session.result_stream(2, &task).await;
        let question = loop {
            let message = stream.message().await.expect("a question");
            if message["method"] == "elicitation/create" {
                break message;
            }
        };
        session.answer(&question, &answer).await;
        let told = stream.messages().await.pop().expect("a response");
        assert_eq!(told["result"]["isError"], true, "{answer}: {told}");
        assert_eq!(
            session.ask(3, "ping", &json!({})).await["result"],
            json!({})
        );
    }
}
