//! When a call becomes a task: at once, after a moment, or when its body says so.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, Reply, every_client};
use serde_json::{Value, json};
use tests::session::{Session, accepted, text};
use tests::tools::{Name, Probe};

use ClientKind::{CoreTasks, TasksExtension};

/// Asks first, then works as a task.
#[mcp_tool(task(begin = "manual"))]
async fn book(ctx: Context, State(probe): State<Probe>) -> Result<String, ToolError> {
    let _inside = probe.enter();
    let answer = ctx.elicit::<Name>("For whom?").key("name").await?;
    ctx.begin_task().await?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    Ok(if answer.accepted().is_some() {
        "booked"
    } else {
        "not booked"
    }
    .into())
}

/// Never begins a task, though it may.
#[mcp_tool(task(begin = "manual"))]
async fn browse() -> &'static str {
    "browsed"
}

/// Would be done in a moment, but for its question.
#[mcp_tool(task(after = "10s"))]
async fn ask_soon(ctx: Context) -> Result<String, ToolError> {
    let answer = ctx.elicit::<Name>("Who?").key("name").await?;
    Ok(if answer.accepted().is_some() {
        "somebody"
    } else {
        "nobody"
    }
    .into())
}

/// Would be done in a moment, but for its turn.
#[mcp_tool(task(after = "200ms"), max_running = 1)]
async fn take_turns(millis: u64) -> &'static str {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    "done"
}

fn server() -> (Server, Probe) {
    let probe = Probe::default();
    (
        Server::new("begin")
            .tools(tools![book, browse, ask_soon, take_turns])
            .state(probe.clone()),
        probe,
    )
}

#[tokio::test(start_paused = true)]
async fn a_question_before_the_task_is_the_calls_own() {
    let (server, probe) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    let params = json!({ "name": "book", "arguments": {} });
    let asked = client.request("tools/call", params.clone()).await.unwrap();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let mut retry = params;
    retry["requestState"] = asked["requestState"].clone();
    retry["inputResponses"] = json!({ "name": accepted(json!({ "name": "Ada" })) });
    let created = client.request("tools/call", retry).await.unwrap();
    assert_eq!(created["resultType"], "task", "{created}");
    let ended = client.get_until(&created, "completed").await;
    assert_eq!(text(&ended["result"]), "booked");
    assert_eq!(probe.started(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_begins_no_task_answers_inline() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let outcome = client.call("browse", json!({})).await;
    assert_eq!(
        (outcome.text().as_str(), outcome.was_task()),
        ("browsed", false)
    );
}

#[tokio::test(start_paused = true)]
async fn a_core_client_that_sent_task_gets_one_at_once() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    for (tool, text) in [
        ("book", "not booked"),
        ("browse", "browsed"),
        ("ask_soon", "nobody"),
    ] {
        let call = client.call(tool, json!({}));
        let outcome = call.reply_with(|_| Reply::Decline).await;
        assert_eq!((outcome.text().as_str(), outcome.was_task()), (text, true));
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_within_the_moment_makes_a_task_at_once() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let started = tokio::time::Instant::now();
    let task = client.start_task("ask_soon", json!({})).await;
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
    let now = client.get_until(&task, "input_required").await;
    assert!(now["inputRequests"]["name"].is_object(), "{now}");
    client
        .update(&task, json!({ "name": { "action": "decline" } }))
        .await
        .unwrap();
    assert_eq!(
        text(&client.get_until(&task, "completed").await["result"]),
        "nobody"
    );
}

#[tokio::test(start_paused = true)]
async fn beginning_a_task_is_nothing_where_there_are_none() {
    let (server, _) = server();
    for kind in every_client() {
        if kind.follows_tasks() || kind == ClientKind::V2025_03_26 {
            continue;
        }
        let mut client = Session::open(&server, kind).await;
        let outcome = client
            .call("book", json!({}))
            .accept(json!({ "name": "Ada" }))
            .await;
        assert_eq!(
            (outcome.text().as_str(), outcome.was_task()),
            ("booked", false),
            "{kind}"
        );
        assert_eq!(client.leftovers().await, Vec::<Value>::new(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_its_turn_becomes_a_task_after_a_moment_too() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    client
        .start_task("take_turns", json!({ "millis": 5_000 }))
        .await;
    let queued = client
        .start_task("take_turns", json!({ "millis": 1_000 }))
        .await;
    let now = client.get(&queued).await;
    assert!(
        now["statusMessage"]
            .as_str()
            .is_some_and(|message| message.starts_with("queued")),
        "{now}"
    );
    let ended = client.get_until(&queued, "completed").await;
    assert_eq!(text(&ended["result"]), "done");
}
