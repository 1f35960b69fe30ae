//! Tools that panic wherever code of theirs is called, speak after their end, or never stop speaking.

use std::fmt;
use std::future::IntoFuture;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{Client, ClientKind, End, every_client};
use mcp_tasks::{AskError, FromContext, LogLevel};
use serde::{Deserialize, Deserializer};
use serde_json::json;
use tests::session::{Session, TASK_CLIENTS, text};
use tests::tools::{Probe, add, confirm, wait};

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        std::panic::panic_any("secret")
    }
}

/// Cannot be made from any call.
struct Cursed;

impl FromContext for Cursed {
    fn from_context(_: &Context) -> Result<Self, ToolError> {
        panic!("secret")
    }
}

/// Can be made from no text.
#[derive(schemars::JsonSchema)]
#[serde(transparent)]
struct Unreadable(#[allow(dead_code, reason = "only its schema counts")] String);

impl<'de> Deserialize<'de> for Unreadable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|_| panic!("secret"))
    }
}

/// Panics when its source is asked for, or when it is dropped.
#[derive(Debug)]
enum Foul {
    Source,
    Drop,
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("foul")
    }
}

impl std::error::Error for Foul {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Source => panic!("secret"),
            Self::Drop => None,
        }
    }
}

impl Drop for Foul {
    fn drop(&mut self) {
        if let Self::Drop = self {
            panic!("secret")
        }
    }
}

/// Takes what cannot be made.
#[mcp_tool(task)]
async fn cursed(#[arg(inject)] _cursed: Cursed) {}

/// Takes what cannot be read.
#[mcp_tool(task)]
async fn unreadable(#[arg(rename = "text")] _text: Unreadable) {}

/// Panics with a payload that panics.
#[mcp_tool(task)]
async fn bomb() {
    std::panic::panic_any(Bomb)
}

/// The same on a thread.
#[mcp_tool(task, blocking)]
fn bomb_on_thread() {
    std::panic::panic_any(Bomb)
}

/// Fails with an error that panics when its source is asked for.
#[mcp_tool(task)]
async fn foul_source() -> Result<(), ToolError> {
    Err(Foul::Source.into())
}

/// Fails with an error that panics when it is dropped.
#[mcp_tool(task)]
async fn foul_drop() -> Result<(), ToolError> {
    Err(Foul::Drop.into())
}

/// Fails in that way once it is told to stop.
#[mcp_tool(task, timeout = "20ms")]
async fn foul_end(token: CancellationToken) -> Result<(), ToolError> {
    token.cancelled().await;
    Err(Foul::Drop.into())
}

fn hostile() -> Server {
    Server::new("hostile").tools(tools![
        add,
        cursed,
        unreadable,
        bomb,
        bomb_on_thread,
        foul_source,
        foul_drop,
        foul_end
    ])
}

#[tokio::test]
async fn a_panic_in_any_code_of_a_tool_is_the_error_of_its_call_alone() {
    let server = hostile();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        for tool in [
            "cursed",
            "unreadable",
            "bomb",
            "bomb_on_thread",
            "foul_source",
            "foul_drop",
            "foul_end",
        ] {
            let arguments = match tool {
                "unreadable" => json!({ "text": "x" }),
                _ => json!({}),
            };
            let outcome = client.call(tool, arguments).await;
            let failed = outcome.is_error() || matches!(outcome.end, End::Error(_));
            assert!(failed, "{kind}: {tool}: {outcome:?}");
            let told = format!("{:?}", client.transcript().last());
            assert!(!told.contains("secret"), "{kind}: {tool}: {told}");
        }
        let sum = client.call("add", json!({ "a": 1, "b": 2 })).await;
        assert_eq!(sum.text(), "3", "{kind}");
    }
}

type Late = mpsc::Sender<Result<bool, AskError>>;

/// Ends while another task of its own goes on asking.
#[mcp_tool(task)]
async fn leave_behind(early: bool, ctx: Context, State(late): State<Arc<Mutex<Late>>>) -> String {
    let late = late.lock().unwrap().clone();
    tokio::spawn(async move {
        if !early {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        ctx.progress(1, 1, "late");
        ctx.status("late");
        ctx.log(LogLevel::Error, "late");
        late.send(ctx.confirm("Still there?").await).unwrap();
    });
    // The question is asked by now, if it is asked early.
    tokio::task::yield_now().await;
    "gone".into()
}

#[tokio::test(start_paused = true)]
async fn a_question_beyond_the_end_of_its_call_ends_with_it() {
    let (late, asked): (Late, _) = mpsc::channel();
    let server = Server::new("late")
        .tools(tools![leave_behind])
        .state(Arc::new(Mutex::new(late)));
    for kind in [ClientKind::V2025_11_25].into_iter().chain(TASK_CLIENTS) {
        for early in [true, false] {
            let mut client = Session::open(&server, kind).await;
            let id = client
                .start_call("leave_behind", json!({ "early": early }))
                .await;
            client.response(&id).await.unwrap();
            tokio::time::sleep(Duration::from_secs(5)).await;
            assert_eq!(asked.try_recv(), Ok(Err(AskError::Gone)), "{kind}, {early}");
        }
    }
}

/// Says a great deal to whoever listens.
#[mcp_tool]
async fn talk(ctx: Context, State(done): State<Arc<tokio::sync::Notify>>) -> String {
    let text = "x".repeat(1 << 20);
    for _ in 0..200 {
        ctx.log(LogLevel::Error, &text);
        ctx.status(&text);
    }
    done.notify_one();
    "said".into()
}

#[tokio::test]
async fn a_client_that_does_not_read_misses_messages_and_no_response() {
    let done = Arc::new(tokio::sync::Notify::new());
    let server = Server::new("talk")
        .tools(tools![talk])
        .state(Arc::clone(&done));
    let builder = Client::builder(ClientKind::V2025_11_25).log_level("info");
    let mut client = builder.connect(&server).await;
    let id = client.start("tools/call", json!({ "name": "talk" })).await;
    done.notified().await;
    assert_eq!(text(&client.response(&id).await.unwrap()), "said");
    let messages = client.transcript().len();
    assert!((10..50).contains(&messages), "{messages} of 400 MiB");
}

#[tokio::test(start_paused = true)]
async fn limits_that_are_none_are_taken_for_what_they_are() {
    let mut limits = Limits::default();
    for limit in [
        &mut limits.cancel_grace,
        &mut limits.drain,
        &mut limits.park,
        &mut limits.poll_interval,
        &mut limits.keep,
        &mut limits.max_keep,
        &mut limits.max_run,
        &mut limits.max_wait,
    ] {
        *limit = Duration::MAX;
    }
    for limit in [
        &mut limits.live_tasks,
        &mut limits.kept_bytes,
        &mut limits.result_bytes,
        &mut limits.line_bytes,
        &mut limits.error_bytes,
        &mut limits.in_flight,
        &mut limits.blocking_threads,
    ] {
        *limit = usize::MAX;
    }
    limits.progress_per_second = u32::MAX;
    let server = Server::new("boundless")
        .tools(tools![add, confirm, foul_end])
        .configure("add", |policy| {
            policy.max_running = Some(usize::MAX);
            policy.after = Some(Duration::MAX);
        })
        .limits(limits);
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let sum = client.call("add", json!({ "a": 1, "b": 2 })).await;
        assert_eq!(sum.text(), "3", "{kind}");
        if kind != ClientKind::V2025_03_26 {
            let agreed = client.call("confirm", json!({})).accept(json!({})).await;
            assert_eq!(agreed.text(), "deployed", "{kind}");
        }
        let outcome = client.call("foul_end", json!({})).await;
        let failed = outcome.is_error() || matches!(outcome.end, End::Error(_));
        assert!(failed, "{kind}: {outcome:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_no_longer_served_leaves_its_connection() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let probe = Probe::default();
    let server = Server::new("left").tools(tools![wait]).state(probe.clone());
    let (mut near, far) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(far);
    let serving = tokio::spawn(async move { server.serve_io(reader, writer).await });
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    let call = json!({ "name": "wait", "arguments": { "millis": 3_600_000 } });
    for (id, method, params) in [(1, "initialize", hello), (2, "tools/call", call)] {
        let line = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        near.write_all(format!("{line}\n").as_bytes())
            .await
            .unwrap();
    }
    while probe.started() == 0 {
        tokio::task::yield_now().await;
    }
    serving.abort();
    let mut rest = String::new();
    let read = near.read_to_string(&mut rest);
    let read = tokio::time::timeout(Duration::from_secs(60), read).await;
    assert!(read.is_ok(), "the connection stayed open: {rest}");
    // Its writer went with it, so that the call is cancelled and not answered.
    assert_eq!(rest.lines().count(), 1, "{rest}");
    while probe.dropped() == 0 {
        tokio::task::yield_now().await;
    }
}

/// Asks the same thing over and over, and withdraws it each time.
#[mcp_tool]
async fn nag(times: usize, ctx: Context) -> String {
    for _ in 0..times {
        tokio::select! {
            biased;
            _ = ctx.confirm("Now?").into_future() => {}
            () = std::future::ready(()) => {}
        }
    }
    "enough".into()
}

#[tokio::test]
async fn the_same_question_asked_often_costs_the_same_each_time() {
    let server = Server::new("nag").tools(tools![nag]);
    let mut client = Session::open(&server, ClientKind::V2025_11_25).await;
    let outcome = client.call("nag", json!({ "times": 50_000 })).await;
    assert_eq!(outcome.text(), "enough");
}

/// Takes more at once than tokio lets a task take.
#[mcp_tool(task)]
async fn gulp(pieces: usize) -> usize {
    let (send, mut pieces_to_take) = tokio::sync::mpsc::unbounded_channel();
    (0..pieces).for_each(|piece| send.send(piece).unwrap());
    drop(send);
    let mut taken = 0;
    while pieces_to_take.recv().await.is_some() {
        taken += 1;
    }
    taken
}

#[tokio::test(start_paused = true)]
async fn a_body_that_has_to_let_others_run_goes_on_after_them() {
    let server = Server::new("gulp").tools(tools![gulp]);
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("gulp", json!({ "pieces": 10_000 })).await;
        assert_eq!(outcome.text(), "10000", "{kind}");
    }
}
