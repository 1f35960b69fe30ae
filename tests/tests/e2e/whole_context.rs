//! A tool's context, whole: the same in a plain run, in a task and after an answer.

use std::sync::{Arc, Mutex};

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{Client, ClientKind, every_client};
use mcp_tasks::{CancelReason, Capability};
use serde_json::{Value, json};
use tests::session::{Session, TASK_CLIENTS, accepted, agree, text};
use tests::tools::Probe;

use ClientKind::{CoreTasks, TasksExtension, V2025_03_26, V2026_07_28};

/// What a body saw, line by line.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    fn note(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// Everything a context says of itself, but for its ids.
fn describe(ctx: &Context) -> String {
    let tenant = ctx.meta().get::<String>("example.com/tenant");
    format!(
        "{} {:?} {:?} {:?} {:?} {} {}",
        ctx.tool(),
        ctx.check(),
        ctx.cancel_reason(),
        ctx.principal(),
        tenant.ok().flatten(),
        ctx.supports(Capability::Roots),
        ctx.state::<Probe>().is_some(),
    )
}

/// Uses its context in every way, before and after a question.
#[mcp_tool(task)]
async fn everything(ctx: Context, State(seen): State<Seen>) -> Result<String, ToolError> {
    let ids = || (ctx.call_id().to_owned(), ctx.task_id());
    let (before, first) = (describe(&ctx), ids());
    ctx.progress(1, None, "one");
    ctx.progress(1.5, 3.0, "one and a half");
    ctx.status("asking");
    ctx.log(LogLevel::Info, "asks");
    ctx.begin_task().await?;
    let answer = ctx.choose("Which?", ["left", "right"]).await;
    ctx.progress(2_u8, Some(3_u64), "two");
    ctx.status("asked");
    ctx.log(LogLevel::Info, "has asked");
    assert_eq!((describe(&ctx), ids()), (before.clone(), first.clone()));
    assert!(!first.0.is_empty());
    seen.note(before);
    Ok(match answer {
        Ok(Answer::Accepted(choice)) => choice,
        Ok(_) => "neither".into(),
        Err(error) => format!("{error:?}"),
    })
}

/// Uses its context once it is told to stop.
#[mcp_tool(task, timeout = "20s")]
async fn afterwards(
    ctx: Context,
    token: CancellationToken,
    State(seen): State<Seen>,
) -> Result<String, ToolError> {
    if ctx.supports(Capability::Roots) {
        token.cancelled().await;
    } else {
        let _ = ctx.confirm("Go on?").await;
    }
    ctx.progress(1, 2, "late");
    ctx.status("late");
    ctx.log(LogLevel::Error, "late");
    seen.note(format!(
        "{:?}",
        ctx.confirm("Still there?").await.unwrap_err()
    ));
    seen.note(format!("{:?}", ctx.cancel_reason()));
    ctx.check()?;
    Ok("never".into())
}

fn server() -> (Server, Seen) {
    let seen = Seen::default();
    let server = Server::new("context")
        .tools(tools![everything, afterwards, spin])
        .state(Probe::default())
        .state(seen.clone());
    (server, seen)
}

#[tokio::test(start_paused = true)]
async fn a_context_is_the_same_however_the_tool_runs() {
    let (server, seen) = server();
    for kind in every_client() {
        let mut client = Session::with(Client::builder(kind).log_level("info"), &server).await;
        let outcome = client
            .call("everything", json!({}))
            .reply_with(|_| mcp_tasks::testing::Reply::Accept(json!({ "value": "right" })))
            .await;
        let expected = if kind == V2025_03_26 {
            "Unsupported(Elicitation)"
        } else {
            "right"
        };
        assert_eq!(outcome.text(), expected, "{kind}");
        assert_eq!(
            seen.take(),
            ["everything Ok(()) None None None true true"],
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_metadata_of_the_call_is_there_for_the_tasks_life() {
    let (server, seen) = server();
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        let mut params = json!({ "name": "everything", "arguments": {} });
        params["_meta"] = json!({ "example.com/tenant": "acme" });
        if kind == CoreTasks {
            params["task"] = json!({});
        }
        let created = client.request("tools/call", params).await.unwrap();
        let task = created.get("task").unwrap_or(&created).clone();
        let choice = accepted(json!({ "value": "left" }));
        if kind == CoreTasks {
            let question = client.server_request().await;
            client.respond(&question["id"], choice).await;
        } else {
            client.get_until(&task, "input_required").await;
            client
                .update(&task, json!({ "choose": choice }))
                .await
                .unwrap();
        }
        client.get_until(&task, "completed").await;
        let seen = seen.take();
        assert!(seen[0].contains("Some(\"acme\")"), "{kind}: {seen:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_context_says_why_the_run_was_stopped() {
    let (server, seen) = server();
    let expected =
        |reason: CancelReason| vec!["Cancelled".to_owned(), format!("{:?}", Some(reason))];
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("afterwards", json!({})).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        client.about("tasks/cancel", &task).await.unwrap();
        client.get_until(&task, "cancelled").await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        assert_eq!(seen.take(), expected(CancelReason::Requested), "{kind}");
    }
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        client.call("afterwards", json!({})).await;
        assert_eq!(seen.take(), expected(CancelReason::TimedOut), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_parked_body_is_told_that_nobody_came_back() {
    let (server, seen) = server();
    let forms = json!({ "elicitation": { "form": {} } });
    let mut client = Session::with(Client::builder(V2026_07_28).capabilities(forms), &server).await;
    let asked = client.call_plainly("afterwards", json!({})).await.unwrap();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    tokio::time::sleep(Duration::from_secs(601)).await;
    let reason = format!("{:?}", Some(CancelReason::Abandoned));
    assert_eq!(seen.take(), ["Cancelled".to_owned(), reason]);
    assert_eq!(client.leftovers().await, Vec::<Value>::new());
}

/// Spins until it is told to stop, after a question that blocks its thread.
#[mcp_tool(task, blocking)]
fn spin(ctx: Context, State(seen): State<Seen>) -> Result<String, ToolError> {
    if !ctx.confirm("Spin?").wait()? {
        return Ok("not spun".into());
    }
    seen.note("spins");
    loop {
        if let Err(cancelled) = ctx.check() {
            seen.note(format!("{:?}", cancelled.reason()));
            return Err(cancelled.into());
        }
        std::thread::yield_now();
    }
}

/// Real time: a blocking body has a real thread.
#[tokio::test]
async fn a_blocking_body_asks_and_sees_its_cancellation() {
    let (server, seen) = server();
    for kind in every_client().filter(|kind| *kind != V2025_03_26) {
        let mut client = Session::open(&server, kind).await;
        let declined = client.call("spin", json!({})).decline().await;
        assert_eq!(declined.text(), "not spun", "{kind}");
    }
    let mut client = Session::open(&server, TasksExtension).await;
    let task = client.start_task("spin", json!({})).await;
    client.get_until(&task, "input_required").await;
    let yes = json!({ "confirm": accepted(json!({ "confirm": true })) });
    client.update(&task, yes).await.unwrap();
    while seen.0.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    client.about("tasks/cancel", &task).await.unwrap();
    client.get_until(&task, "cancelled").await;
    assert_eq!(seen.take(), ["spins", "Requested"]);
}

#[tokio::test(start_paused = true)]
async fn an_agreement_without_content_takes_the_defaults() {
    let (server, _) = tests::tools::server();
    for kind in every_client().filter(|kind| *kind != V2025_03_26) {
        let mut client = Session::open(&server, kind).await;
        let bare = mcp_tasks::testing::Reply::Result(json!({ "action": "accept" }));
        let outcome = client.call("confirm", json!({})).reply(bare).await;
        assert_eq!(outcome.text(), "deployed", "{kind}");
        let outcome = client.call("confirm", json!({})).reply_with(agree).await;
        assert_eq!(text(outcome.result()), "deployed", "{kind}");
    }
}
