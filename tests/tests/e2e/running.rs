//! How long a run may take, how many run at once, and how one is wound down.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{Client, ClientKind, Reply, every_client};
use serde_json::{Value, json};
use tests::session::{Session, TASK_CLIENTS, accepted, text};
use tests::tools::{Name, Probe, ask, nap};

use ClientKind::{CoreTasks, TasksExtension, V2025_11_25, V2026_07_28};

/// Asks, then works for a while, two seconds at most.
#[mcp_tool(task, timeout = "2s")]
async fn ask_then_nap(millis: u64, ctx: Context) -> Result<String, ToolError> {
    ctx.elicit::<Name>("Who?").key("name").await?;
    tokio::time::sleep(Duration::from_millis(millis)).await;
    Ok("rested".into())
}

/// Makes the best of it when its time is up.
#[mcp_tool(task, timeout = "2s")]
async fn best_effort(token: CancellationToken) -> &'static str {
    token.cancelled().await;
    "half of it"
}

/// Complains when it is told to stop.
#[mcp_tool(task, timeout = "2s")]
async fn sulk(token: CancellationToken) -> Result<String, ToolError> {
    token.cancelled().await;
    Err("I was not done".into())
}

/// Does not heed its token.
#[mcp_tool(task, cancel_grace = "3s")]
async fn stubborn(_token: CancellationToken, State(probe): State<Probe>) -> String {
    let _inside = probe.enter();
    std::future::pending().await
}

/// One at a time.
#[mcp_tool(task, max_running = 1)]
async fn turn(millis: u64, State(probe): State<Probe>) -> String {
    let _inside = probe.enter();
    tokio::time::sleep(Duration::from_millis(millis)).await;
    "had a turn".into()
}

/// One at a time, and a task after a moment.
#[mcp_tool(task(after = "200ms"), max_running = 1)]
async fn turn_soon(millis: u64) -> String {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    "had a turn".into()
}

fn server() -> (Server, Probe) {
    let probe = Probe::default();
    let tools = tools![
        ask_then_nap,
        best_effort,
        sulk,
        stubborn,
        turn,
        turn_soon,
        ask,
        nap
    ];
    (
        Server::new("running").tools(tools).state(probe.clone()),
        probe,
    )
}

fn ada() -> Value {
    json!({ "name": accepted(json!({ "name": "Ada" })) })
}

#[tokio::test(start_paused = true)]
async fn waiting_for_an_answer_is_no_running_time_of_a_task() {
    let (server, _) = server();
    for (millis, end) in [(1_500, "completed"), (2_500, "failed")] {
        let mut client = Session::open(&server, TasksExtension).await;
        let task = client
            .start_task("ask_then_nap", json!({ "millis": millis }))
            .await;
        client.get_until(&task, "input_required").await;
        tokio::time::sleep(Duration::from_secs(3600)).await;
        client.update(&task, ada()).await.unwrap();
        let ended = client.get_until(&task, end).await;
        if end == "failed" {
            assert_eq!(ended["error"]["code"], -32603, "{ended}");
            assert_eq!(ended["error"]["message"], "timed out after 2s", "{ended}");
            assert_eq!(ended["statusMessage"], "timed out after 2s", "{ended}");
        }
    }
    let mut client = Session::open(&server, CoreTasks).await;
    let task = client
        .start_task("ask_then_nap", json!({ "millis": 1_500 }))
        .await;
    let question = client.server_request().await;
    tokio::time::sleep(Duration::from_secs(3600)).await;
    client
        .respond(&question["id"], accepted(json!({ "name": "Ada" })))
        .await;
    client.get_until(&task, "completed").await;
}

#[tokio::test(start_paused = true)]
async fn waiting_for_an_answer_is_no_running_time_of_a_call() {
    let (server, _) = server();
    for (millis, fails) in [(1_500, false), (2_500, true)] {
        let arguments = json!({ "millis": millis });
        let mut client = Session::open(&server, V2026_07_28).await;
        let asked = client
            .call_plainly("ask_then_nap", arguments.clone())
            .await
            .unwrap();
        tokio::time::sleep(Duration::from_secs(500)).await;
        let retry = json!({
            "name": "ask_then_nap", "arguments": arguments,
            "requestState": asked["requestState"], "inputResponses": ada(),
        });
        let result = client.request("tools/call", retry).await.unwrap();
        assert_eq!(result["isError"] == true, fails, "{result}");

        let mut client = Session::open(&server, V2025_11_25).await;
        let params = json!({ "name": "ask_then_nap", "arguments": arguments });
        let id = client.start("tools/call", params).await;
        let question = client.server_request().await;
        tokio::time::sleep(Duration::from_secs(3600)).await;
        client
            .respond(&question["id"], accepted(json!({ "name": "Ada" })))
            .await;
        let result = client.response(&id).await.unwrap();
        assert_eq!(result["isError"] == true, fails, "{result}");
        if fails {
            assert_eq!(text(&result), "timed out after 2s");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_body_returns_in_its_grace_is_a_real_result() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("best_effort", json!({})).await;
        assert_eq!(outcome.text(), "half of it", "{kind}");
        assert!(!outcome.is_error(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_after_the_token_fired_is_the_end_that_the_token_meant() {
    let (server, _) = server();
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        let timed_out = client.call("sulk", json!({})).await;
        assert_eq!(timed_out.error().message, "timed out after 2s", "{kind}");
        let task = client.start_task("sulk", json!({})).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        client.about("tasks/cancel", &task).await.unwrap();
        client.get_until(&task, "cancelled").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_wind_down_is_dropped_when_its_grace_is_over() {
    let (server, probe) = server();
    for (round, kind) in TASK_CLIENTS.into_iter().enumerate() {
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("stubborn", json!({})).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        client.about("tasks/cancel", &task).await.unwrap();
        tokio::time::sleep(Duration::from_millis(2_900)).await;
        assert_eq!(probe.dropped(), round, "{kind}: still in its grace");
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(probe.dropped(), round + 1, "{kind}");
        assert_eq!(client.get(&task).await["status"], "cancelled", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_inline_run_takes_a_turn_like_a_task() {
    let (server, probe) = server();
    let mut inline = Session::open(&server, V2025_11_25).await;
    let params = json!({ "name": "turn", "arguments": { "millis": 5_000 } });
    for (round, kind) in TASK_CLIENTS.into_iter().enumerate() {
        let mut client = Session::open(&server, kind).await;
        let first = inline.start("tools/call", params.clone()).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        let task = client.start_task("turn", json!({ "millis": 5_000 })).await;
        let waits = inline.start("tools/call", params.clone()).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        let queued = client.get(&task).await;
        let message = queued["statusMessage"].as_str().unwrap_or_default();
        assert!(message.contains("queued"), "{kind}: {queued}");
        assert_eq!(probe.started(), 3 * round + 1, "{kind}");
        assert_eq!(text(&inline.response(&first).await.unwrap()), "had a turn");
        client.get_until(&task, "completed").await;
        assert_eq!(probe.started(), 3 * round + 3, "{kind}");
        assert_eq!(text(&inline.response(&waits).await.unwrap()), "had a turn");
    }
}

#[tokio::test(start_paused = true)]
async fn a_queued_call_becomes_a_task_after_its_moment() {
    let (server, _) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    let first = client
        .start_task("turn_soon", json!({ "millis": 60_000 }))
        .await;
    let started = tokio::time::Instant::now();
    let second = client
        .start_task("turn_soon", json!({ "millis": 60_000 }))
        .await;
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
    let message = client.get(&second).await["statusMessage"].clone();
    assert!(
        message.as_str().unwrap_or_default().contains("queued"),
        "{message}"
    );
    client.about("tasks/cancel", &second).await.unwrap();
    client.get_until(&second, "cancelled").await;
    tokio::time::sleep(Duration::from_secs(50)).await;
    client.get_until(&first, "completed").await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_an_answer_lets_others_run() {
    let (server, _) = server();
    let server = server.configure("ask", |policy| policy.max_running = Some(1));
    let mut client = Session::open(&server, V2026_07_28).await;
    let mut states = Vec::new();
    for _ in 0..2 {
        let asked = client.call_plainly("ask", json!({})).await.unwrap();
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        states.push(asked["requestState"].clone());
    }
    for state in states {
        let retry = json!({
            "name": "ask", "arguments": {}, "requestState": state, "inputResponses": ada(),
        });
        let result = client.request("tools/call", retry).await.unwrap();
        assert_eq!(text(&result), "Hello, Ada!");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_waits_as_long_as_the_server_lets_it() {
    let mut limits = Limits::default();
    limits.max_wait = Duration::from_secs(60);
    let (server, _) = server();
    let server = server.limits(limits);
    for kind in [TasksExtension, CoreTasks, V2025_11_25] {
        let builder = Client::builder(kind).patience(Duration::from_secs(120));
        let mut client = Session::with(builder, &server).await;
        let started = tokio::time::Instant::now();
        let outcome = client.call("ask", json!({})).reply(Reply::Never).await;
        assert!(outcome.is_error(), "{kind}: {outcome:?}");
        assert!(
            outcome.text().contains("not answered in time"),
            "{kind}: {outcome:?}"
        );
        let waited = started.elapsed().as_secs();
        assert!((60..65).contains(&waited), "{kind}: {waited} s");
    }
}

#[tokio::test(start_paused = true)]
async fn a_servers_own_policy_overrides_the_attributes() {
    let (server, _) = server();
    let server = server.configure("nap", |policy| {
        policy.timeout = Some(Duration::from_secs(30));
        policy.keep = Duration::from_secs(90);
        policy.poll_interval = Duration::from_secs(7);
        policy.after = Some(Duration::from_millis(100));
    });
    let mut client = Session::open(&server, TasksExtension).await;
    let quick = client.call("nap", json!({ "millis": 50 })).await;
    assert!(!quick.was_task(), "{quick:?}");
    let task = client.start_task("nap", json!({ "millis": 60_000 })).await;
    assert_eq!(task["ttlMs"], 120_000, "{task}");
    assert_eq!(task["pollIntervalMs"], 7_000, "{task}");
    tokio::time::sleep(Duration::from_secs(29)).await;
    let ended = client.get_until(&task, "failed").await;
    assert_eq!(ended["error"]["message"], "timed out after 30s", "{ended}");
}

#[tokio::test(start_paused = true)]
async fn a_policy_for_a_tool_that_is_not_there_stops_the_server() {
    let (server, _) = server();
    let error = server.configure("nope", |_| {}).check().unwrap_err();
    assert!(error.to_string().contains("`nope`"), "{error}");
}
