//! The tools that the end-to-end tests call, and a server of them all.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_tasks::prelude::*;
use mcp_tasks::{Answer, ErrorCode, LogLevel};

/// What happened inside the tools of one server.
#[derive(Clone, Debug, Default)]
pub struct Probe(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    started: AtomicUsize,
    passed: AtomicUsize,
    dropped: AtomicUsize,
}

impl Probe {
    /// How many bodies have begun.
    pub fn started(&self) -> usize {
        self.0.started.load(Ordering::SeqCst)
    }

    /// How many times a body got past its question.
    pub fn passed(&self) -> usize {
        self.0.passed.load(Ordering::SeqCst)
    }

    /// How many bodies are gone, by their end or by being dropped.
    pub fn dropped(&self) -> usize {
        self.0.dropped.load(Ordering::SeqCst)
    }

    /// Counts a body in, and out when what this returns is dropped.
    pub fn enter(&self) -> Inside {
        self.0.started.fetch_add(1, Ordering::SeqCst);
        Inside(self.clone())
    }

    fn pass(&self) {
        self.0.passed.fetch_add(1, Ordering::SeqCst);
    }
}

/// Lives as long as a body.
#[derive(Debug)]
pub struct Inside(Probe);

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

/// A server of every tool in this file, and what happens inside them.
pub fn server() -> (Server, Probe) {
    let probe = Probe::default();
    let tools = tools![
        add,
        wait,
        echo,
        nap,
        export,
        fail,
        refuse,
        conflict,
        boom,
        boom_late,
        slow,
        keep,
        brief,
        wind_down,
        ask,
        ask_two,
        ask_in_turn,
        ask_briefly,
        ask_then_steps,
        confirm,
        steps,
        flood,
        chatty,
        whoami,
        quick,
        noop,
        hold,
        blocking_nap,
    ];
    (Server::new("e2e").tools(tools).state(probe.clone()), probe)
}

/// A server without any tool that can be a task.
pub fn plain_server() -> Server {
    Server::new("plain").tools(tools![add, noop])
}

/// A name to go by.
#[derive(Debug, ElicitForm)]
pub struct Name {
    name: String,
}

/// How many, from one to nine.
#[derive(Debug, ElicitForm)]
pub struct Count {
    #[form(min = 1, max = 9)]
    count: u32,
}

/// Adds two numbers.
#[mcp_tool]
pub async fn add(
    /// The first
    a: i64,
    b: i64,
) -> i64 {
    a + b
}

/// Does nothing at all.
#[mcp_tool]
pub async fn noop() {}

/// Sleeps, never as a task.
#[mcp_tool]
pub async fn wait(millis: u64, State(probe): State<Probe>) -> String {
    let _inside = probe.enter();
    tokio::time::sleep(Duration::from_millis(millis)).await;
    "waited".into()
}

/// Says it back.
#[mcp_tool(task)]
pub async fn echo(text: String) -> String {
    text
}

/// Sleeps.
#[mcp_tool(task)]
pub async fn nap(millis: u64, State(probe): State<Probe>) -> String {
    let _inside = probe.enter();
    tokio::time::sleep(Duration::from_millis(millis)).await;
    "rested".into()
}

/// Too long for anything but a task.
#[mcp_tool(task(required))]
pub async fn export() -> String {
    "exported".into()
}

/// Fails the way tools fail.
#[mcp_tool(task)]
pub async fn fail() -> Result<String, ToolError> {
    Err("the disk is full".into())
}

/// Fails the way protocols fail.
#[mcp_tool(task)]
pub async fn refuse() -> Result<String, ToolError> {
    Err(ToolError::protocol(
        ErrorCode::INVALID_PARAMS,
        "no such ledger",
    ))
}

/// Fails with a code of its own.
#[mcp_tool(task)]
pub async fn conflict() -> Result<String, ToolError> {
    Err(ToolError::protocol(
        ErrorCode::new(409).expect("outside JSON-RPC's range"),
        "taken",
    ))
}

/// Panics with something to hide.
#[mcp_tool(task)]
pub async fn boom(n: u64) -> String {
    panic!("secret-{n}")
}

/// Panics once its question is answered, with a payload that is no text.
#[mcp_tool(task)]
pub async fn boom_late(ctx: Context) -> Result<String, ToolError> {
    ctx.elicit::<Name>("Who?").key("who").await?;
    std::panic::panic_any(7_u8)
}

/// Runs out of time.
#[mcp_tool(task, timeout = "2s")]
pub async fn slow() -> String {
    tokio::time::sleep(Duration::from_secs(3600)).await;
    "too late".into()
}

/// Is kept for five minutes after at most one.
#[mcp_tool(task(keep = "5m", poll_interval = "2s"), timeout = "1m")]
pub async fn keep(millis: u64) -> String {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    "kept".into()
}

/// Is kept for two seconds.
#[mcp_tool(task(keep = "2s", poll_interval = "20ms"), timeout = "50ms")]
pub async fn brief() -> String {
    "brief".into()
}

/// Finishes what it has begun when it is cancelled.
#[mcp_tool(task)]
pub async fn wind_down(token: CancellationToken) -> String {
    token.cancelled().await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    "wound down".into()
}

/// Done in a moment, which it is given.
#[mcp_tool(task(after = "200ms"))]
pub async fn quick(millis: u64) -> String {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    "quick".into()
}

/// Asks for a name.
#[mcp_tool(task)]
pub async fn ask(ctx: Context, State(probe): State<Probe>) -> Result<String, ToolError> {
    let _inside = probe.enter();
    let answer = ctx.elicit::<Name>("What is your name?").key("name").await?;
    probe.pass();
    Ok(match answer {
        Answer::Accepted(Name { name }) => format!("Hello, {name}!"),
        Answer::Declined => "declined".into(),
        Answer::Dismissed => "dismissed".into(),
    })
}

/// Asks two questions at once.
#[mcp_tool(task)]
pub async fn ask_two(ctx: Context, State(probe): State<Probe>) -> Result<String, ToolError> {
    let _inside = probe.enter();
    let name = ctx.elicit::<Name>("What is your name?").key("name").ask();
    let count = ctx.elicit::<Count>("How many?").key("count").ask();
    let (name, count) = tokio::join!(name, count);
    probe.pass();
    match (name?.accepted(), count?.accepted()) {
        (Some(Name { name }), Some(Count { count })) => Ok(format!("{count} for {name}")),
        _ => Ok("nothing".into()),
    }
}

/// Asks the same thing twice, one after the other.
#[mcp_tool(task)]
pub async fn ask_in_turn(ctx: Context, State(probe): State<Probe>) -> Result<String, ToolError> {
    let _inside = probe.enter();
    let first = ctx.elicit::<Name>("First?").key("name").await?;
    probe.pass();
    let second = ctx.elicit::<Name>("Second?").key("name").await?;
    probe.pass();
    match (first.accepted(), second.accepted()) {
        (Some(first), Some(second)) => Ok(format!("{} and {}", first.name, second.name)),
        _ => Ok("nothing".into()),
    }
}

/// Asks, and goes on without an answer after five seconds.
#[mcp_tool(task)]
pub async fn ask_briefly(ctx: Context) -> String {
    let asked = ctx
        .elicit::<Name>("Anyone?")
        .key("anyone")
        .timeout(Duration::from_secs(5));
    match asked.await {
        Ok(Answer::Accepted(Name { name })) => name,
        Ok(_) => "nobody".into(),
        Err(error) => format!("{error:?}"),
    }
}

/// Asks, then takes two steps.
#[mcp_tool(task)]
pub async fn ask_then_steps(ctx: Context) -> Result<String, ToolError> {
    ctx.elicit::<Name>("Who steps?").key("name").await?;
    for step in 1..=2 {
        ctx.progress(step, 2, "stepping");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    Ok("done".into())
}

/// Deploys if told to.
#[mcp_tool(task)]
pub async fn confirm(ctx: Context) -> Result<String, ToolError> {
    Ok(if ctx.confirm("Deploy?").await? {
        "deployed"
    } else {
        "not deployed"
    }
    .into())
}

/// Three steps of a second each, with progress.
#[mcp_tool(task)]
pub async fn steps(ctx: Context) -> String {
    for step in 1..=3 {
        ctx.progress(step, 3, "stepping");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    "done".into()
}

/// A thousand steps in no time, and one back.
#[mcp_tool(task)]
pub async fn flood(ctx: Context) -> String {
    for step in 1..=1000 {
        ctx.progress(step, 1000, "flooding");
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    ctx.progress(1, 1000, "back");
    tokio::time::sleep(Duration::from_secs(2)).await;
    "flooded".into()
}

/// Speaks of itself in every way.
#[mcp_tool(task)]
pub async fn chatty(ctx: Context) -> String {
    ctx.log(LogLevel::Debug, "a detail");
    ctx.log(LogLevel::Warning, "a warning");
    ctx.status("thinking");
    tokio::time::sleep(Duration::from_secs(1)).await;
    "said".into()
}

/// Tells how it runs.
#[mcp_tool(task)]
pub async fn whoami(ctx: Context) -> String {
    ctx.task_id()
        .map_or_else(|| "no task".into(), |id| id.to_string())
}

/// Never ends by itself, and only one at a time.
#[mcp_tool(task, max_running = 1)]
pub async fn hold(State(probe): State<Probe>) -> String {
    let _inside = probe.enter();
    std::future::pending().await
}

/// Sleeps without letting anything else run on its thread.
#[mcp_tool(task, blocking)]
pub fn blocking_nap(millis: u64) -> String {
    std::thread::sleep(std::time::Duration::from_millis(millis));
    "rested".into()
}
