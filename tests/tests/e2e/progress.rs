//! Progress, status and log: where each goes on each wire, and that it stops in time.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{Client, ClientKind, every_client};
use serde_json::{Value, json};
use tests::session::{LOG_LEVEL, RELATED_TASK, Session};
use tests::tools::server;

use ClientKind::{CoreTasks, TasksExtension, V2025_11_25, V2026_07_28};

fn values(progress: &[Value]) -> Vec<f64> {
    progress
        .iter()
        .filter_map(|params| params["progress"].as_f64())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn an_inline_call_reports_progress_before_its_response() {
    let (server, _) = server();
    for kind in every_client().filter(|kind| !kind.follows_tasks()) {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("steps", json!({})).await;
        assert_eq!(values(&outcome.progress), [1.0, 2.0, 3.0], "{kind}");
        for params in &outcome.progress {
            assert_eq!(params["total"].as_f64(), Some(3.0), "{kind}");
            assert_eq!(params["message"], "stepping", "{kind}");
        }
        assert_eq!(
            client.leftovers().await,
            Vec::<Value>::new(),
            "{kind}: none after the response"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn progress_nobody_asked_for_is_not_sent() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        client.call("steps", json!({})).without_progress().await;
        client.leftovers().await;
        let progress = |message: &Value| message["method"] == "notifications/progress";
        assert!(
            !client
                .transcript()
                .iter()
                .any(|(_, message)| progress(message)),
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_core_task_keeps_the_token_of_its_call() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let outcome = client.call("steps", json!({})).await;
    assert_eq!(values(&outcome.progress), [1.0, 2.0, 3.0]);
    for params in &outcome.progress {
        let related = &params["_meta"][RELATED_TASK]["taskId"];
        assert_eq!(related.as_str(), outcome.task_id(), "{params}");
    }
    let said = client.leftovers().await;
    assert!(
        said.iter()
            .all(|message| message["method"] != "notifications/progress"),
        "{said:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_progress_of_a_task_is_its_status_message() {
    let (server, _) = server();
    for kind in [TasksExtension, CoreTasks] {
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("steps", json!({})).await;
        tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
        let now = client.get(&task).await;
        let message = now["statusMessage"].as_str().unwrap_or_default();
        assert!(message.contains("stepping"), "{kind}: {now}");
        client.get_until(&task, "completed").await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_extension_task_sends_no_progress() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let outcome = client.call("steps", json!({})).await;
    assert!(outcome.was_task());
    assert_eq!(outcome.progress, Vec::<Value>::new());
    assert!(
        outcome
            .status_messages
            .iter()
            .any(|text| text.contains("stepping")),
        "{outcome:?}"
    );
    assert_eq!(client.leftovers().await, Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn a_flood_is_thinned_to_its_latest_value_and_never_falls() {
    let (server, _) = server();
    for kind in every_client().filter(|kind| *kind != TasksExtension) {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("flood", json!({})).await;
        let sent = values(&outcome.progress);
        assert!(
            !sent.is_empty() && sent.len() <= 15,
            "{kind}: {}",
            sent.len()
        );
        assert_eq!(
            sent.iter().copied().fold(0.0, f64::max).to_string(),
            "1000",
            "{kind}: {sent:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_status_is_the_tasks_status_message() {
    let (server, _) = server();
    for kind in [TasksExtension, CoreTasks] {
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("chatty", json!({})).await;
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        assert_eq!(
            client.get(&task).await["statusMessage"],
            "thinking",
            "{kind}"
        );
        client.get_until(&task, "completed").await;
    }
}

/// Levels and texts of log messages.
fn logged(logs: &[Value]) -> Vec<(&str, &str)> {
    logs.iter()
        .filter_map(|params| Some((params["level"].as_str()?, params["data"].as_str()?)))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_log_reaches_a_legacy_client_from_its_level_on() {
    let (server, _) = server();
    for kind in every_client().filter(|kind| !kind.is_modern()) {
        let builder = Client::builder(kind).log_level("notice");
        let mut client = Session::with(builder, &server).await;
        let outcome = client.call("chatty", json!({})).await;
        assert_eq!(logged(&outcome.logs), [("warning", "a warning")], "{kind}");
        let related = &outcome.logs[0]["_meta"][RELATED_TASK]["taskId"];
        assert_eq!(related.as_str(), outcome.task_id(), "{kind}");
    }
}

/// Without a task there is no status message for it to be.
#[tokio::test(start_paused = true)]
async fn the_status_of_an_inline_call_is_a_log_message() {
    let (server, _) = server();
    for kind in every_client().filter(|kind| !kind.follows_tasks()) {
        let builder = Client::builder(kind).log_level("info");
        let mut client = Session::with(builder, &server).await;
        let outcome = client.call("chatty", json!({})).await;
        let expected = [("warning", "a warning"), ("info", "thinking")];
        assert_eq!(logged(&outcome.logs), expected, "{kind}");
        assert_eq!(outcome.progress, Vec::<Value>::new(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_log_reaches_a_modern_call_that_asked_for_it() {
    let (server, _) = server();
    let builder = Client::builder(V2026_07_28).log_level("debug");
    let mut client = Session::with(builder, &server).await;
    let outcome = client.call("chatty", json!({})).await;
    assert_eq!(
        logged(&outcome.logs)[..2],
        [("debug", "a detail"), ("warning", "a warning")]
    );
    assert_eq!(client.leftovers().await, Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn a_log_level_holds_for_its_own_request_alone() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let loud = json!({ "name": "chatty", "arguments": {}, "_meta": { LOG_LEVEL: "notice" } });
    let quiet = json!({ "name": "chatty", "arguments": {} });
    let loud = client.start("tools/call", loud).await;
    let quiet = client.start("tools/call", quiet).await;
    client.response(&loud).await.unwrap();
    client.response(&quiet).await.unwrap();
    let logs = client.leftovers().await;
    assert_eq!(logs.len(), 1, "of one call, not of both: {logs:?}");
}

#[tokio::test(start_paused = true)]
async fn a_log_nobody_asked_for_is_not_sent() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("chatty", json!({})).await;
        assert_eq!(outcome.logs, Vec::<Value>::new(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_extension_task_sends_no_log_either() {
    let builder = Client::builder(TasksExtension).log_level("debug");
    let mut client = Session::with(builder, &server().0).await;
    let outcome = client.call("chatty", json!({})).await;
    assert!(outcome.was_task());
    assert_eq!(outcome.logs, Vec::<Value>::new());
    assert_eq!(client.leftovers().await, Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn a_retry_reports_under_its_own_token() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let call = |token: &str, more: Value| {
        let mut params = json!({ "name": "ask_then_steps", "arguments": {}, "_meta": { "progressToken": token } });
        if let (Value::Object(params), Value::Object(more)) = (&mut params, more) {
            params.extend(more);
        }
        params
    };
    let asked = client
        .request("tools/call", call("one", json!({})))
        .await
        .unwrap();
    assert_eq!(asked["resultType"], "input_required");
    let answers = json!({
        "requestState": asked["requestState"],
        "inputResponses": { "name": { "action": "accept", "content": { "name": "Ada" } } },
    });
    let id = client.start("tools/call", call("two", answers)).await;
    client.response(&id).await.unwrap();
    let progress = client.leftovers().await;
    let tokens: Vec<&Value> = progress
        .iter()
        .map(|message| &message["params"]["progressToken"])
        .collect();
    assert_eq!(tokens, ["two", "two"], "{progress:?}");
}

#[tokio::test(start_paused = true)]
async fn a_progress_token_may_be_a_number_and_stays_one() {
    let mut client = Session::open(&server().0, V2025_11_25).await;
    let params = json!({ "name": "steps", "arguments": {}, "_meta": { "progressToken": 7 } });
    let id = client.start("tools/call", params).await;
    client.response(&id).await.unwrap();
    let progress = client.leftovers().await;
    assert_eq!(progress.len(), 3);
    assert!(
        progress
            .iter()
            .all(|message| message["params"]["progressToken"] == 7),
        "{progress:?}"
    );
}

/// Reports every ten milliseconds for three seconds, then once more at its very end.
#[mcp_tool(task)]
async fn tick(ctx: Context) -> &'static str {
    for tick in 1..=300 {
        ctx.progress(tick, 301, format!("tick {tick}"));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    ctx.progress(301, 301, "tock");
    "ticked"
}

fn ticker() -> Server {
    Server::new("ticker").tools(tools![tick])
}

#[tokio::test(start_paused = true)]
async fn progress_leaves_in_a_burst_of_ten_and_then_ten_a_second() {
    let server = ticker();
    for kind in every_client().filter(|kind| *kind != TasksExtension) {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("tick", json!({})).await;
        let sent = values(&outcome.progress);
        assert!((38..=42).contains(&sent.len()), "{kind}: {}", sent.len());
        assert_eq!(sent.last(), Some(&301.0), "{kind}: the last before the end");
        let first_second = sent.iter().filter(|value| **value <= 100.0).count();
        assert!((18..=21).contains(&first_second), "{kind}: {first_second}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_tells_its_message_at_most_four_times_a_second() {
    let server = ticker();
    let mut client = Session::open(&server, CoreTasks).await;
    let task = client.start_task("tick", json!({})).await;
    client.about("tasks/result", &task).await.unwrap();
    let told = client.leftovers().await;
    let told = told
        .iter()
        .filter(|message| message["method"] == "notifications/tasks/status")
        .filter(|message| message["params"]["status"] == "working");
    let told = told.count();
    assert!((12..=14).contains(&told), "{told}");
}

#[tokio::test(start_paused = true)]
async fn progress_that_does_not_rise_is_a_status() {
    let (server, _) = server();
    for kind in every_client().filter(|kind| *kind != TasksExtension) {
        let builder = Client::builder(kind).log_level("info");
        let mut client = Session::with(builder, &server).await;
        let outcome = client.call("flood", json!({})).await;
        let told = if kind == CoreTasks {
            outcome.status_messages.iter().any(|text| text == "back")
        } else {
            logged(&outcome.logs).contains(&("info", "back"))
        };
        assert!(told, "{kind}: {outcome:?}");
    }
}
