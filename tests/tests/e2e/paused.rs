//! Paused time and blocking tools: the clock stands still while their threads work.

use std::time::Duration;

use mcp_tasks::Server;
use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, Reply, every_client};
use serde_json::json;
use tests::session::Session;
use tokio::time::Instant;

/// Works, asks, and works again, on its own thread all the time.
#[mcp_tool(task, blocking)]
#[expect(clippy::needless_pass_by_value, reason = "a tool owns its parameters")]
fn dig(ctx: Context) -> Result<String, ToolError> {
    let work = || std::thread::sleep(Duration::from_millis(30));
    work();
    let first = ctx.confirm("Dig on?").wait()?;
    work();
    let second = ctx.confirm("Dig deeper?").wait()?;
    work();
    Ok(format!("{first} {second}"))
}

#[tokio::test(start_paused = true)]
async fn time_does_not_pass_while_a_blocking_tool_works() {
    let server = Server::new("mine").tools(tools![dig]);
    for kind in every_client().filter(|kind| *kind != ClientKind::V2025_03_26) {
        let mut client = Session::open(&server, kind).await;
        let started = Instant::now();
        let outcome = client
            .call("dig", json!({}))
            .accept(json!({}))
            .decline()
            .await;
        assert_eq!(outcome.text(), "true false", "{kind}");
        // What passes are the client's own pauses between two polls.
        assert!(started.elapsed() < Duration::from_secs(5), "{kind}");
    }
}

/// Asks, but not for long.
#[mcp_tool(task, blocking)]
#[expect(clippy::needless_pass_by_value, reason = "a tool owns its parameters")]
fn knock(ctx: Context) -> Result<String, ToolError> {
    let answer = ctx.confirm("Anybody?").timeout(Duration::from_secs(20));
    answer.wait()?;
    Ok("there is".to_owned())
}

#[tokio::test(start_paused = true)]
async fn time_passes_while_a_blocking_tool_waits_for_its_user() {
    let server = Server::new("mine").tools(tools![knock]);
    let mut client = Session::open(&server, ClientKind::V2025_11_25).await;
    let (started, really) = (Instant::now(), std::time::Instant::now());
    let outcome = client.call("knock", json!({})).reply(Reply::Never).await;
    assert_eq!(outcome.text(), "the question was not answered in time");
    assert!(started.elapsed() >= Duration::from_secs(20));
    assert!(really.elapsed() < Duration::from_secs(4));
}
