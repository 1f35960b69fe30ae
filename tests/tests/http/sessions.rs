//! Sessions of the revisions before 2026-07-28: opened, used, ended.

use std::time::Duration;

use mcp_tasks::Limits;
use serde_json::json;
use tests::http::{LegacySession, Request, Site, USER, initialize};
use tests::tools::{plain_server, server};

const REVISIONS: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];

#[tokio::test(start_paused = true)]
async fn initialize_opens_a_session_whose_id_no_one_can_guess() {
    let site = Site::open(plain_server());
    let mut ids = std::collections::HashSet::new();
    for revision in REVISIONS {
        let session = LegacySession::open(&site, revision).await;
        assert!(session.id.len() >= 32, "{}", session.id);
        assert!(session.id.bytes().all(|byte| (0x21..=0x7e).contains(&byte)));
        assert!(ids.insert(session.id.clone()));
        let answer = session.ask(1, "ping", &json!({})).await;
        assert_eq!(answer["result"], json!({}));
    }
}

#[tokio::test(start_paused = true)]
async fn an_initialize_that_fails_opens_none() {
    let site = Site::open(plain_server());
    let mut broken = initialize("2025-11-25");
    broken["params"] = json!({});
    let refused = site.send(Request::post(&broken)).await;
    assert_eq!(refused.header("mcp-session-id"), None);
    assert_eq!(refused.code().await, Some(-32602));
}

#[tokio::test(start_paused = true)]
async fn a_request_needs_a_session_that_is_there() {
    let site = Site::open(plain_server());
    let session = LegacySession::open(&site, "2025-11-25").await;
    let list = session.request(1, "tools/list", &json!({}));
    assert_eq!(site.send(list.clone()).await.status, 200);
    let missing = list.clone().without("Mcp-Session-Id");
    assert_eq!(site.send(missing).await.status, 400);
    for request in [list, session.get(), session.delete()] {
        let unknown = request.header("Mcp-Session-Id", "0123456789abcdef");
        assert_eq!(site.send(unknown).await.status, 404);
    }
}

#[tokio::test(start_paused = true)]
async fn the_version_header_must_be_known_and_may_be_missing() {
    let site = Site::open(plain_server());
    let session = LegacySession::open(&site, "2025-06-18").await;
    let list = session.request(1, "tools/list", &json!({}));
    let missing = list.clone().without("MCP-Protocol-Version");
    assert_eq!(site.send(missing).await.status, 200);
    let unknown = list.header("MCP-Protocol-Version", "1999-12-31");
    assert_eq!(site.send(unknown).await.status, 400);
}

#[tokio::test(start_paused = true)]
async fn delete_ends_a_session_its_calls_and_its_streams_but_no_task() {
    let (server, probe) = server();
    let site = Site::open(server);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let task = session
        .start_task(1, "nap", &json!({"millis": 60_000}))
        .await;
    let mut call = site
        .send(session.call(2, "wait", &json!({"millis": 60_000})))
        .await;
    let mut own = site.send(session.get()).await;
    assert_eq!(probe.started(), 2);

    assert_eq!(site.send(session.delete()).await.status, 204);
    let answers = call.messages().await;
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["error"]["code"], -32603);
    assert_eq!(own.messages().await, Vec::<serde_json::Value>::new());
    assert_eq!(probe.dropped(), 1, "the call and not the task");
    let late = site
        .send(session.request(3, "tools/list", &json!({})))
        .await;
    assert_eq!(late.status, 404);
    assert_eq!(site.send(session.delete()).await.status, 404);

    // The id is the key: a new session finds the task.
    let session = LegacySession::open(&site, "2025-11-25").await;
    let params = json!({"taskId": task["taskId"]});
    let found = session.ask(1, "tasks/get", &params).await;
    assert_eq!(found["result"]["status"], "working");
}

#[tokio::test(start_paused = true)]
async fn a_session_expires_when_nobody_uses_it() {
    let mut limits = Limits::default();
    limits.session_idle = Duration::from_secs(60);
    let site = Site::open(server().0.limits(limits));
    let session = LegacySession::open(&site, "2025-11-25").await;
    for id in 1..=3 {
        tokio::time::sleep(Duration::from_secs(50)).await;
        session.ask(id, "ping", &json!({})).await;
    }
    // A call that takes longer than that is use.
    let call = session.call(4, "wait", &json!({"millis": 300_000}));
    assert_eq!(site.send(call).await.messages().await.len(), 1);
    session.ask(5, "ping", &json!({})).await;
    // So is an open stream.
    let own = site.send(session.get()).await;
    tokio::time::sleep(Duration::from_secs(300)).await;
    session.ask(6, "ping", &json!({})).await;
    drop(own);
    tokio::time::sleep(Duration::from_secs(121)).await;
    let late = site.send(session.request(7, "ping", &json!({}))).await;
    assert_eq!(late.status, 404);
}

#[tokio::test(start_paused = true)]
async fn too_many_sessions_are_refused_until_one_ends() {
    let mut limits = Limits::default();
    limits.sessions = 2;
    let site = Site::open(plain_server().limits(limits));
    let first = LegacySession::open(&site, "2025-11-25").await;
    let _second = LegacySession::open(&site, "2025-11-25").await;
    let refused = site.send(Request::post(&initialize("2025-11-25"))).await;
    assert_eq!(refused.status, 503);
    assert_eq!(refused.header("mcp-session-id"), None);
    assert_eq!(site.send(first.delete()).await.status, 204);
    LegacySession::open(&site, "2025-11-25").await;
}

#[tokio::test(start_paused = true)]
async fn somebody_elses_session_is_as_good_as_none() {
    let site = Site::open(plain_server());
    let session = LegacySession::open_as(&site, "2025-11-25", Some("ada")).await;
    let list = session.request(1, "tools/list", &json!({}));
    assert_eq!(site.send(list.clone()).await.status, 200);
    for request in [list, session.get(), session.delete()] {
        let foreign = request.clone().header(USER, "eve");
        assert_eq!(site.send(foreign).await.status, 404);
        assert_eq!(site.send(request.without(USER)).await.status, 404);
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_is_taken_from_a_2025_03_26_session_alone() {
    for revision in REVISIONS {
        let site = Site::open(plain_server());
        let session = LegacySession::open(&site, revision).await;
        let batch = json!([
            {"jsonrpc": "2.0", "id": 1, "method": "ping"},
            {"jsonrpc": "2.0", "method": "notifications/whatever"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
             "params": {"name": "add", "arguments": {"a": 1, "b": 2}}},
        ]);
        let response = site.send(session.post(&batch)).await;
        if revision == "2025-03-26" {
            assert_eq!(response.status, 200);
            let answers = response.json().await;
            assert_eq!(answers.as_array().expect("a batch").len(), 2);
        } else {
            assert_eq!(response.status, 400, "{revision}");
            assert_eq!(response.code().await, Some(-32600), "{revision}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_without_requests_is_accepted() {
    let site = Site::open(plain_server());
    let session = LegacySession::open(&site, "2025-03-26").await;
    let batch = json!([{"jsonrpc": "2.0", "method": "notifications/whatever"}]);
    assert_eq!(site.send(session.post(&batch)).await.status, 202);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_request_ends_its_stream_without_a_response() {
    let (server, probe) = server();
    let site = Site::open(server);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut call = site
        .send(session.call(1, "wait", &json!({"millis": 60_000})))
        .await;
    let cancelled = session.notification("notifications/cancelled", &json!({"requestId": 1}));
    assert_eq!(site.send(cancelled).await.status, 202);
    assert_eq!(call.messages().await, Vec::<serde_json::Value>::new());
    assert_eq!(probe.dropped(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_request_cancelled_before_its_stream_began_is_answered_with_nothing() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let cancelled = session.notification("notifications/cancelled", &json!({"requestId": 1}));
    let cancel = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        site.send(cancelled).await
    };
    let call = site.send(session.call(1, "wait", &json!({"millis": 60_000})));
    let (mut call, _) = tokio::join!(call, cancel);
    assert_eq!(call.status, 202);
    assert_eq!(call.text().await, "");
}

#[tokio::test(start_paused = true)]
async fn leaving_a_call_does_not_cancel_it() {
    let (server, probe) = server();
    let site = Site::open(server);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let call = site
        .send(session.call(1, "wait", &json!({"millis": 60_000})))
        .await;
    drop(call);
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert_eq!((probe.started(), probe.dropped()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn shutting_down_answers_what_is_open() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut call = site
        .send(session.call(1, "wait", &json!({"millis": 3_600_000})))
        .await;
    let mut own = site.send(session.get()).await;
    site.service.shut_down().await;
    let answers = call.messages().await;
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["id"], 1);
    assert_eq!(answers[0]["error"]["code"], -32603);
    assert_eq!(own.messages().await, Vec::<serde_json::Value>::new());
}
