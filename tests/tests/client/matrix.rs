//! Whatever comes of a call comes to the caller in the same way, by every link and on every wire.

use std::time::Duration;

use mcp_tasks::client::{CallResult, ClientError, PendingCall, Wire};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::links::{Kind, Link, Site};

/// What a call is to come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Plain,
    IsError,
    RpcError,
    Panic,
    OneQuestion,
    TwoAtOnce,
    Decline,
    Cancel,
    Expiry,
    Restart,
}

impl Case {
    const ALL: [Self; 10] = [
        Self::Plain,
        Self::IsError,
        Self::RpcError,
        Self::Panic,
        Self::OneQuestion,
        Self::TwoAtOnce,
        Self::Decline,
        Self::Cancel,
        Self::Expiry,
        Self::Restart,
    ];

    fn call(self) -> (&'static str, Value) {
        match self {
            Self::Plain => ("echo", json!({ "text": "hi" })),
            Self::IsError => ("fail", json!({})),
            Self::RpcError => ("refuse", json!({})),
            Self::Panic => ("boom", json!({ "n": 1 })),
            Self::OneQuestion | Self::Decline => ("ask", json!({})),
            Self::TwoAtOnce => ("ask_two", json!({})),
            Self::Cancel => ("nap", json!({ "millis": 3_600_000 })),
            Self::Expiry => ("brief", json!({})),
            Self::Restart => ("nap", json!({ "millis": 2_000 })),
        }
    }
}

/// How a call ended, as far as a caller would tell its user.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Text(String),
    IsError(String),
    Refused(i64),
    Cancelled,
    Expired,
    /// There was no task, so nothing to expire and nothing to come back to.
    NoTask,
}

impl End {
    fn of(result: Result<CallResult, ClientError>) -> Self {
        match result {
            Ok(result) if result.is_error() => Self::IsError(result.text()),
            Ok(result) => Self::Text(result.text()),
            Err(ClientError::Refused { error, .. }) => Self::Refused(error.code),
            Err(ClientError::Cancelled { .. }) => Self::Cancelled,
            Err(ClientError::Expired { .. }) => Self::Expired,
            Err(other) => panic!("{other}"),
        }
    }
}

/// What every cell must come to. Where a call is no task, the protocol has no way back to it, and a panic is a result
/// that the model may read. A child process takes its tasks along when its client goes. In the draft, the request is
/// answered as if there were no task, and the ids, which clients choose, belong to the session that used them: another
/// has no such methods.
fn expected(link: Link, kind: Kind, case: Case) -> End {
    let text = |text: &str| End::Text(text.to_owned());
    match case {
        Case::Plain => text("hi"),
        Case::IsError => End::IsError("the disk is full".to_owned()),
        Case::RpcError => End::Refused(-32602),
        Case::Panic if kind.tasks && kind.wire != Wire::Draft => End::Refused(-32603),
        Case::Panic => End::IsError("the tool failed unexpectedly".to_owned()),
        Case::OneQuestion => text("Hello, Ada!"),
        Case::TwoAtOnce => text("3 for Ada"),
        Case::Decline => text("declined"),
        Case::Cancel => End::Cancelled,
        Case::Expiry | Case::Restart if !kind.tasks => End::NoTask,
        Case::Expiry => End::Expired,
        Case::Restart if kind.wire == Wire::Draft => End::Refused(-32601),
        Case::Restart if link == Link::Stdio => End::Expired,
        Case::Restart => text("rested"),
    }
}

async fn cell(link: Link, kind: Kind, case: Case) -> End {
    let site = Site::open(link);
    let client = site
        .connect(kind.client(case != Case::Decline))
        .await
        .expect("a connection");
    assert_eq!(client.wire(), kind.wire);
    let (tool, arguments) = case.call();
    let call = client
        .begin_call_tool(tool, arguments)
        .await
        .expect("a call");
    match case {
        Case::Cancel => {
            if kind.tasks {
                call.task_id().await.expect("a task to cancel");
            }
            call.cancel().await.expect("a cancellation");
            let end = End::of(call.result().await);
            if link != Link::Stdio {
                until_the_body_is_gone(&site).await;
            }
            end
        }
        Case::Expiry => expiry(&client, call).await,
        Case::Restart => restart(&site, kind, client, call).await,
        _ => End::of(call.result().await),
    }
}

/// Asks for a result until it is no longer kept.
async fn expiry(client: &mcp_tasks::client::Client, call: PendingCall) -> End {
    let reference = call.reference().await;
    call.result().await.expect("a result");
    let Some(reference) = reference else {
        return End::NoTask;
    };
    loop {
        let again = client
            .resume(reference.clone())
            .await
            .expect("the same wire");
        match End::of(again.result().await) {
            End::Text(text) => assert_eq!(text, "brief"),
            end => return end,
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// A client goes, and another one comes back to its task.
async fn restart(
    site: &Site,
    kind: Kind,
    client: mcp_tasks::client::Client,
    call: PendingCall,
) -> End {
    let reference = if kind.tasks {
        call.reference().await
    } else {
        None
    };
    let Some(reference) = reference else {
        assert!(call.detach().is_none());
        return End::NoTask;
    };
    assert_eq!(call.detach(), Some(reference.clone()));
    client.close().await;
    let kept = serde_json::to_string(&reference).expect("JSON");
    let client = site.connect(kind.client(true)).await.expect("a connection");
    let reference = serde_json::from_str(&kept).expect("a reference");
    let call = client.resume(reference).await.expect("the same wire");
    End::of(call.result().await)
}

async fn until_the_body_is_gone(site: &Site) {
    while site.probe.dropped() < site.probe.started() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Every cell of a link, all at once.
async fn all_cells(link: Link) {
    let mut cells = JoinSet::new();
    for kind in Kind::ALL {
        for case in Case::ALL {
            cells.spawn(async move {
                let end = timeout(Duration::from_secs(600), cell(link, kind, case)).await;
                (kind, case, end.ok())
            });
        }
    }
    let mut wrong = Vec::new();
    while let Some(cell) = cells.join_next().await {
        let (kind, case, end) = cell.expect("no panic");
        let expected = expected(link, kind, case);
        if end.as_ref() != Some(&expected) {
            wrong.push(format!("{kind}, {case:?}: {end:?} instead of {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{link:?}:\n{}", wrong.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn every_call_ends_as_it_should_in_this_process() {
    all_cells(Link::InProcess).await;
}

#[tokio::test(start_paused = true)]
async fn every_call_ends_as_it_should_over_http() {
    all_cells(Link::Http).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_ends_as_it_should_over_a_child_process() {
    all_cells(Link::Stdio).await;
}
