//! Tools of which each is one thing that a task can cost.

use std::time::Instant;

use mcp_tasks::Limits;
use mcp_tasks::prelude::*;

/// Answers with its number, once others have had their turn.
#[mcp_tool(task)]
async fn number(number: u64) -> String {
    tokio::task::yield_now().await;
    format!("answer {number}")
}

/// Waits for an answer.
#[mcp_tool(task)]
async fn ask(ctx: Context) -> Result<String, ToolError> {
    Ok(format!("{}", ctx.confirm("Go on?").await?))
}

/// Runs for an hour.
#[mcp_tool(task)]
async fn run() -> String {
    tokio::time::sleep(Duration::from_secs(3600)).await;
    "done".into()
}

/// Answers with so many bytes.
#[mcp_tool(task)]
async fn text(bytes: usize) -> String {
    "x".repeat(bytes)
}

/// Answers with its number after a while; the answer is kept for five seconds.
#[mcp_tool(task(keep = "5s"))]
async fn nap(number: u64, millis: u64) -> String {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    format!("answer {number}")
}

/// Tells of its progress so many times.
#[mcp_tool(task)]
async fn count(times: u32, ctx: Context) -> String {
    for step in 1..=times {
        ctx.progress(step, times, "counting");
    }
    format!("counted {times}")
}

/// Tells of its progress for so many seconds.
#[mcp_tool(task)]
async fn flood(seconds: u64, ctx: Context) -> String {
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut step = 0_u64;
    while Instant::now() < end {
        for _ in 0..1_000 {
            step += 1;
            ctx.progress(step, None, step.to_string());
        }
        tokio::task::yield_now().await;
    }
    format!("counted {step}")
}

#[tokio::main]
async fn main() -> Result<(), mcp_tasks::Error> {
    let mut limits = Limits::default();
    // A little more than the 100,000 that are measured.
    limits.live_tasks = 110_000;
    Server::new("bench")
        .version("0")
        .tools(tools![number, ask, run, text, nap, count, flood])
        .limits(limits)
        .serve_stdio()
        .await
}
