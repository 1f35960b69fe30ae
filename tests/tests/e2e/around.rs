//! What an application puts round every call.

use std::sync::{Arc, Mutex};

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, every_client};
use mcp_tasks::{ErrorCode, Next, ToolCall};
use serde_json::{Value, json};
use tests::session::{Session, TASK_CLIENTS, agree, text};
use tests::tools::{Probe, add, ask, boom, echo, fail};

use ClientKind::{TasksExtension, V2026_07_28};

type Log = Arc<Mutex<Vec<String>>>;

/// Notes each call before and after it, and refuses some.
fn audited(log: &Log, probe: &Probe) -> Server {
    let (outer, inner) = (Arc::clone(log), Arc::clone(log));
    Server::new("x")
        .tools(tools![add, ask, boom, echo, fail])
        .state(probe.clone())
        .around(move |call: ToolCall, next: Next| {
            let log = Arc::clone(&outer);
            async move {
                let revision = call.caller().revision();
                let line = format!("{} {} {revision}", call.tool(), call.raw_arguments());
                log.lock().unwrap().push(line);
                let output = next.run().await;
                let ended = match &output {
                    Ok(output) => format!("ended, error {}", output.is_error()),
                    Err(error) => format!("failed: {error}"),
                };
                log.lock().unwrap().push(ended);
                output
            }
        })
        .around(move |call, next| {
            let log = Arc::clone(&inner);
            async move {
                let arguments: Value = call.arguments()?;
                if arguments["text"] == "refuse" {
                    return Err("not today".into());
                }
                if arguments["text"] == "limit" {
                    let code = ErrorCode::new(429).unwrap();
                    return Err(ToolError::protocol(code, "slow down"));
                }
                log.lock().unwrap().push("inner".into());
                next.run().await
            }
        })
}

#[tokio::test(start_paused = true)]
async fn it_sees_each_call_and_how_it_ended_the_first_outermost() {
    for kind in every_client() {
        let (log, probe) = (Log::default(), Probe::default());
        let mut client = Session::open(&audited(&log, &probe), kind).await;
        let arguments = json!({ "a": 1, "b": 2 });
        assert_eq!(client.call("add", arguments).await.text(), "3", "{kind}");
        client.call("fail", json!({})).await;
        let revision = kind.revision();
        let expected = [
            format!("add {{\"a\":1,\"b\":2}} {revision}"),
            "inner".into(),
            "ended, error false".into(),
            format!("fail {{}} {revision}"),
            "inner".into(),
            "failed: the disk is full".into(),
        ];
        assert_eq!(*log.lock().unwrap(), expected, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn it_may_refuse() {
    for kind in every_client() {
        let (log, probe) = (Log::default(), Probe::default());
        let mut client = Session::open(&audited(&log, &probe), kind).await;
        if kind != TasksExtension {
            let refused = client
                .call_plainly("echo", json!({ "text": "refuse" }))
                .await;
            let refused = refused.unwrap();
            assert_eq!(
                (text(&refused), &refused["isError"]),
                ("not today", &json!(true))
            );
            let limited = client
                .call_plainly("echo", json!({ "text": "limit" }))
                .await;
            assert_eq!(limited.unwrap_err().code, 429, "{kind}");
        }
        assert!(!log.lock().unwrap().contains(&"inner".to_owned()), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn it_is_round_a_task_and_round_its_questions_once() {
    for kind in TASK_CLIENTS.into_iter().chain([V2026_07_28]) {
        let (log, probe) = (Log::default(), Probe::default());
        let mut client = Session::open(&audited(&log, &probe), kind).await;
        let outcome = client.call("ask", json!({})).reply_with(agree).await;
        assert_eq!(outcome.text(), "Hello, yes!", "{kind}");
        assert_eq!(log.lock().unwrap().len(), 3, "{kind}");
        assert_eq!(probe.started(), 1, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn arguments_that_do_not_fit_never_reach_it_and_a_panic_passes_through() {
    let (log, probe) = (Log::default(), Probe::default());
    let mut client = Session::open(&audited(&log, &probe), V2026_07_28).await;
    client
        .call_plainly("add", json!({ "a": "x" }))
        .await
        .unwrap();
    assert!(log.lock().unwrap().is_empty());
    let failed = client
        .call_plainly("boom", json!({ "n": 7 }))
        .await
        .unwrap();
    assert_eq!(text(&failed), "the tool failed unexpectedly");
}
