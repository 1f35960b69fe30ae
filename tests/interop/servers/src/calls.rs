//! Calls that are no tasks.

use mcp_tasks::client::{Answer, ClientError, Progress, TaskSupport, Wire};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::peer::Peer;
use crate::report::{Failed, Outcome, Report, expect};

pub(crate) async fn check(peer: &Peer, report: &mut Report) {
    report
        .tell("connect", std::future::ready(connect(peer)))
        .await;
    report.tell("list_tools", list_tools(peer)).await;
    report.tell("plain_result", plain_result(peer)).await;
    report.tell("error_result", error_result(peer)).await;
    report.tell("unknown_tool", unknown_tool(peer)).await;
    report.tell("call_progress", call_progress(peer)).await;
    report.tell("call_question", call_question(peer)).await;
    report.tell("call_decline", call_decline(peer)).await;
    report.tell("call_cancel", call_cancel(peer)).await;
    report
        .tell("task_tool_plainly", task_tool_plainly(peer))
        .await;
}

fn connect(peer: &Peer) -> Result<Outcome, Failed> {
    expect(peer.client.server().name, "interop-peer")?;
    expect(peer.plain.server().name, "interop-peer")?;
    expect(peer.plain.wire(), peer.client.wire())?;
    Ok(Outcome::Yes)
}

async fn list_tools(peer: &Peer) -> Result<Outcome, Failed> {
    let tools = peer.client.list_tools().await?;
    let support = |name: &str| {
        let tool = tools.iter().find(|tool| tool.name() == name);
        tool.map(|tool| (tool.task_support(), tool.input_schema()["type"].clone()))
    };
    // Only 2025-11-25 tells of tasks before the call.
    let build = match peer.wire() {
        Wire::V2025_11_25 => TaskSupport::Optional,
        _ => TaskSupport::Never,
    };
    expect(
        support("greet"),
        Some((TaskSupport::Never, json!("object"))),
    )?;
    expect(support("build"), Some((build, json!("object"))))?;
    Ok(Outcome::Yes)
}

async fn plain_result(peer: &Peer) -> Result<Outcome, Failed> {
    let result = peer
        .client
        .call_tool("greet", json!({ "name": "Ada" }))
        .await?;
    expect(
        (result.is_error(), result.text().as_str()),
        (false, "Hello, Ada!"),
    )?;
    Ok(Outcome::Yes)
}

async fn error_result(peer: &Peer) -> Result<Outcome, Failed> {
    let numbers = json!({ "dividend": 1, "divisor": 0 });
    let result = peer.client.call_tool("divide", numbers).await?;
    expect(
        (result.is_error(), result.text().as_str()),
        (true, "division by zero"),
    )?;
    Ok(Outcome::Yes)
}

async fn unknown_tool(peer: &Peer) -> Result<Outcome, Failed> {
    match peer.client.call_tool("no_such_tool", Value::Null).await {
        Err(ClientError::Refused { error, .. }) => {
            expect(error.code, -32602)?;
            Ok(Outcome::Yes)
        }
        Ok(result) if result.is_error() => Ok(Outcome::With(
            "The server answers with a result that has `isError`, where the specification has error -32602.",
        )),
        other => Err(Failed(format!("no error, but {other:?}"))),
    }
}

async fn call_progress(peer: &Peer) -> Result<Outcome, Failed> {
    let (told, mut seen) = mpsc::unbounded_channel();
    let call = peer
        .plain
        .begin_call_tool("build_now", json!({ "target": "inline" }))
        .on_progress(move |progress| drop(told.send(progress)))
        .await?;
    let waiting = next(&mut seen).await?;
    expect((waiting.done, waiting.total), (1.0, Some(2.0)))?;
    expect(waiting.message.as_deref(), Some("waiting for approval"))?;
    peer.approve(&peer.plain, "inline").await?;
    expect(call.result().await?.text(), "built inline")?;
    Ok(Outcome::Yes)
}

async fn call_question(peer: &Peer) -> Result<Outcome, Failed> {
    peer.user.will(Answer::Accepted(true));
    let result = peer
        .plain
        .call_tool("deploy_now", json!({ "env": "test" }))
        .await?;
    expect(result.text(), "deployed to test")?;
    expect(peer.user.asked(), ["Deploy to test?"])?;
    Ok(Outcome::Yes)
}

async fn call_decline(peer: &Peer) -> Result<Outcome, Failed> {
    peer.user.will(Answer::Declined);
    let result = peer
        .plain
        .call_tool("deploy_now", json!({ "env": "test" }))
        .await?;
    expect(result.text(), "not deployed to test")?;
    Ok(Outcome::Yes)
}

async fn call_cancel(peer: &Peer) -> Result<Outcome, Failed> {
    let (told, mut seen) = mpsc::unbounded_channel();
    let call = peer
        .plain
        .begin_call_tool("build_now", json!({ "target": "given up" }))
        .on_progress(move |progress| drop(told.send(progress)))
        .await?;
    next(&mut seen).await?;
    drop(call);
    peer.has_stopped(&peer.plain, "given up").await?;
    Ok(Outcome::Yes)
}

async fn task_tool_plainly(peer: &Peer) -> Result<Outcome, Failed> {
    let result = peer
        .plain
        .call_tool("import_file", json!({ "file": "a.csv" }))
        .await?;
    expect(
        (result.is_error(), result.text().as_str()),
        (true, "no such file: a.csv"),
    )?;
    Ok(Outcome::Yes)
}

async fn next(seen: &mut mpsc::UnboundedReceiver<Progress>) -> Result<Progress, Failed> {
    let progress = seen.recv().await;
    progress.ok_or_else(|| Failed("the call ended without progress".to_owned()))
}
