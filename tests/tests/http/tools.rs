//! The tools that only these tests call, beside those of all tests.

use mcp_tasks::prelude::*;
use mcp_tasks::{LiveTools, RuntimeTool};
use tests::tools::Probe;

/// A server of every tool, and what happens inside them.
pub(crate) fn server() -> (Server, Probe) {
    let (server, probe) = tests::tools::server();
    let tools = tools![
        wait_then_ask,
        step_and_hold,
        shout,
        locate,
        open_table,
        note,
        babble,
        mumble
    ];
    let tables = LiveTools::new();
    let server = server.tools(tools).live_tools(&tables).state(tables);
    (server, probe)
}

#[derive(Debug, ElicitForm)]
struct Name {
    name: String,
}

/// Asks for a name after a while.
#[mcp_tool(task)]
async fn wait_then_ask(millis: u64, ctx: Context) -> Result<String, ToolError> {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    let answer = ctx.elicit::<Name>("What is your name?").await?;
    let name = answer.accepted().map(|answer| answer.name);
    Ok(format!("Hello, {}!", name.unwrap_or_default()))
}

/// Takes one step and never ends by itself.
#[mcp_tool]
async fn step_and_hold(ctx: Context, State(probe): State<Probe>) -> String {
    let _inside = probe.enter();
    ctx.progress(1, 2, "stepping");
    std::future::pending().await
}

/// Says far more than anybody wants to hear.
#[mcp_tool]
async fn shout(megabytes: usize, ctx: Context) -> &'static str {
    let text = "x".repeat(16 * 1024);
    for _ in 0..megabytes * 64 {
        ctx.log(LogLevel::Info, &text);
        tokio::task::yield_now().await;
    }
    "hoarse"
}

/// Says something else, at length, every second.
#[mcp_tool(task)]
async fn babble(seconds: u64, ctx: Context) -> &'static str {
    for second in 0..seconds {
        ctx.status(format!("{second} {}", "x".repeat(16 * 1024)));
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    "said"
}

/// Says it back after a while.
#[mcp_tool]
async fn mumble(text: String, millis: u64) -> String {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    text
}

/// Has an argument that proxies can route by.
#[mcp_tool]
async fn locate(
    #[arg(header = "Region")] region: Option<String>,
    #[arg(header = "Shard")] shard: Option<i64>,
) -> String {
    format!(
        "{} {}",
        region.unwrap_or_default(),
        shard.unwrap_or_default()
    )
}

/// Asks who says so.
#[mcp_tool(task)]
async fn note(text: String, ctx: Context) -> Result<String, ToolError> {
    ctx.elicit::<Name>("Who says so?").await?;
    Ok(text)
}

/// Offers another tool.
#[mcp_tool]
async fn open_table(State(tables): State<LiveTools>) -> Result<(), mcp_tasks::Error> {
    tables.add(RuntimeTool::new(
        "table",
        "Reads the table.",
        |_, _| async { "a row" },
    ))
}
