//! Calls that become tasks.

use std::time::Duration;

use mcp_tasks::client::{Answer, ClientError, PendingCall, Status, Wire};
use serde_json::{Value, json};

use crate::peer::{Peer, is_task};
use crate::report::{Failed, Outcome, Report, expect};

pub(crate) async fn check(peer: &Peer, report: &mut Report) {
    report.tell("task_result", task_result(peer)).await;
    report
        .tell("task_result_early", task_result_early(peer))
        .await;
    report.tell("task_progress", task_progress(peer)).await;
    report.tell("task_question", task_question(peer)).await;
    report.tell("task_decline", task_decline(peer)).await;
    report.tell("task_cancel", task_cancel(peer)).await;
    report.tell("task_drop", task_drop(peer)).await;
    report.tell("task_resume", task_resume(peer)).await;
    report.tell("task_list", task_list(peer)).await;
    report
        .tell("task_error_result", task_error_result(peer))
        .await;
    report.tell("task_failure", task_failure(peer)).await;
    report.tell("task_unknown", task_unknown(peer)).await;
}

async fn task_result(peer: &Peer) -> Result<Outcome, Failed> {
    let call = peer.begin("build", json!({ "target": "task" })).await?;
    let mut states = call.status_changes();
    expect(status(states.next().await.as_ref()), Some(Status::Working))?;
    peer.approve(&peer.client, "task").await?;
    expect(call.result().await?.text(), "built task")?;
    expect(status(call.task().as_ref()), Some(Status::Completed))?;
    Ok(Outcome::Yes)
}

/// The client opens `tasks/result` when a task asks something, as many servers put the question there.
async fn task_result_early(peer: &Peer) -> Result<Outcome, Failed> {
    if peer.wire() == Wire::V2026_07_28 {
        return Ok(Outcome::NothingToTry(
            "This revision has no `tasks/result`; the result stands in the task.",
        ));
    }
    let call = begun(peer, "early").await?;
    let id = call.task().map(|task| task.id.to_string());
    let early = peer.client.request("tasks/result", json!({ "taskId": id }));
    let early = tokio::time::timeout(Duration::from_secs(1), early).await;
    peer.approve(&peer.client, "early").await?;
    expect(call.result().await?.text(), "built early")?;
    match early {
        Err(_waits) => Ok(Outcome::Yes),
        Ok(Err(ClientError::Refused { .. })) => Ok(Outcome::No(
            "The server refuses it, and puts a task's questions elsewhere; the client asks once more at the end.",
        )),
        Ok(other) => Err(Failed(format!("neither waits nor refuses, but {other:?}"))),
    }
}

async fn task_progress(peer: &Peer) -> Result<Outcome, Failed> {
    let call = begun(peer, "told").await?;
    peer.approve(&peer.client, "told").await?;
    expect(call.result().await?.text(), "built told")?;
    Ok(Outcome::Yes)
}

async fn task_question(peer: &Peer) -> Result<Outcome, Failed> {
    peer.user.will(Answer::Accepted(true));
    let call = peer.begin("deploy", json!({ "env": "prod" })).await?;
    expect(call.result().await?.text(), "deployed to prod")?;
    expect(peer.user.asked(), ["Deploy to prod?"])?;
    Ok(Outcome::Yes)
}

async fn task_decline(peer: &Peer) -> Result<Outcome, Failed> {
    peer.user.will(Answer::Declined);
    let call = peer.begin("deploy", json!({ "env": "prod" })).await?;
    expect(call.result().await?.text(), "not deployed to prod")?;
    Ok(Outcome::Yes)
}

async fn task_cancel(peer: &Peer) -> Result<Outcome, Failed> {
    let call = begun(peer, "cancelled").await?;
    call.cancel().await?;
    match call.result().await {
        Err(ClientError::Cancelled { .. }) => {}
        other => return Err(Failed(format!("not cancelled, but {other:?}"))),
    }
    peer.has_stopped(&peer.client, "cancelled").await?;
    Ok(Outcome::Yes)
}

async fn task_drop(peer: &Peer) -> Result<Outcome, Failed> {
    let call = begun(peer, "dropped").await?;
    drop(call);
    peer.has_stopped(&peer.client, "dropped").await?;
    Ok(Outcome::Yes)
}

/// Over stdio a server ends with its connection; there the same client comes back.
async fn task_resume(peer: &Peer) -> Result<Outcome, Failed> {
    let left = begun(peer, "left").await?.detach();
    let left = left.ok_or_else(|| Failed("no reference to the task".to_owned()))?;
    peer.approve(&peer.client, "left").await?;
    if peer.is_http() {
        let another = peer.another().await?;
        let result = another.resume(left.clone()).await?.result().await;
        another.close().await;
        match result {
            Err(ClientError::Expired { .. }) => {}
            result => {
                expect(result?.text(), "built left")?;
                return Ok(Outcome::Yes);
            }
        }
    }
    let again = peer.client.resume(left).await?;
    is_task(&again).await?;
    expect(again.result().await?.text(), "built left")?;
    Ok(if peer.is_http() {
        Outcome::With("The server knows a task in the session that made it and in no other.")
    } else {
        Outcome::Yes
    })
}

async fn task_list(peer: &Peer) -> Result<Outcome, Failed> {
    if peer.wire() == Wire::V2026_07_28 {
        return Ok(Outcome::NothingToTry("This revision has no `tasks/list`."));
    }
    let call = begun(peer, "listed").await?;
    let listed = peer.client.list_tasks(None).await?.tasks;
    let is_listed = listed.iter().any(|task| Some(task) == call.task().as_ref());
    peer.approve(&peer.client, "listed").await?;
    expect(call.result().await?.text(), "built listed")?;
    if listed.is_empty() {
        return Ok(Outcome::No(
            "The server offers the list, which is always empty.",
        ));
    }
    expect(is_listed, true)?;
    Ok(Outcome::Yes)
}

async fn task_error_result(peer: &Peer) -> Result<Outcome, Failed> {
    let call = peer
        .begin("import_file", json!({ "file": "a.csv" }))
        .await?;
    let result = call.result().await?;
    expect(
        (result.is_error(), result.text().as_str()),
        (true, "no such file: a.csv"),
    )?;
    Ok(Outcome::Yes)
}

async fn task_failure(peer: &Peer) -> Result<Outcome, Failed> {
    let call = peer.begin("migrate", Value::Null).await?;
    match call.result().await {
        Err(ClientError::Refused { error, .. }) => {
            expect(
                (error.code, &*error.message),
                (-32603, "the migration broke off"),
            )?;
            Ok(Outcome::Yes)
        }
        Ok(result) if result.is_error() => {
            Ok(Outcome::No(if result.text() == "the migration broke off" {
                "The server keeps no protocol error for a task: it ends in a result with `isError`."
            } else {
                "The server keeps no protocol error for a task: it ends in a result with `isError`, which has lost \
                 the error's message."
            }))
        }
        other => Err(Failed(format!("no failure, but {other:?}"))),
    }
}

async fn task_unknown(peer: &Peer) -> Result<Outcome, Failed> {
    let reference = mcp_tasks::client::Reference::new("no-such-task", peer.wire());
    match peer.client.resume(reference).await?.result().await {
        Err(ClientError::Expired { .. }) => Ok(Outcome::Yes),
        other => Err(Failed(format!("not unknown, but {other:?}"))),
    }
}

/// A build that has got as far as to wait: one that is cancelled before that may never run.
async fn begun(peer: &Peer, target: &str) -> Result<PendingCall, Failed> {
    let call = peer.begin("build", json!({ "target": target })).await?;
    let mut states = call.status_changes();
    while let Some(task) = states.next().await {
        if task.message.as_deref() == Some("waiting for approval") {
            return Ok(call);
        }
    }
    Err(Failed("the task never told that it waits".to_owned()))
}

fn status(task: Option<&mcp_tasks::client::Task>) -> Option<Status> {
    task.map(|task| task.status)
}
