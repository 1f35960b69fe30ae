//! What a response looks like: JSON until something forces an event stream.

use std::time::Duration;

use serde_json::json;
use tests::http::{Event, LegacySession, Request, Site};
use tests::tools::server;

#[tokio::test(start_paused = true)]
async fn what_is_answered_at_once_is_one_json_message() {
    let site = Site::open(server().0);
    for request in [
        Request::modern("server/discover", json!({})),
        Request::modern("tools/list", json!({})),
        Request::call("add", json!({"a": 1, "b": 2})),
        Request::call("echo", json!({"text": "as a task"})),
    ] {
        let response = site.send(request.clone()).await;
        assert_eq!(response.status, 200, "{request:?}");
        assert_eq!(response.header("mcp-session-id"), None);
        assert_eq!(response.json().await["id"], 1, "{request:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_notification_makes_it_an_event_stream_that_ends_with_the_response() {
    let site = Site::open(server().0);
    let params = json!({"name": "steps", "arguments": {}, "_meta": {"progressToken": "p"}});
    let undeclared = Request::modern_with(json!({}), "tools/call", params);
    let mut response = site.send(undeclared).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.header("x-accel-buffering"), Some("no"));
    assert_eq!(response.header("cache-control"), Some("no-cache"));
    let messages = response.messages().await;
    let (last, before) = messages.split_last().expect("messages");
    assert_eq!(before.len(), 3);
    for (step, message) in (1..).zip(before) {
        assert_eq!(message["method"], "notifications/progress");
        assert_eq!(message["params"]["progressToken"], "p");
        assert_eq!(message["params"]["progress"], step);
    }
    assert_eq!(last["id"], 1);
    assert_eq!(last["result"]["resultType"], "complete");
}

#[tokio::test(start_paused = true)]
async fn a_modern_stream_cannot_be_resumed_and_says_so_by_having_no_ids() {
    let site = Site::open(server().0);
    let call = Request::call("wait", json!({"millis": 20_000}));
    let mut response = site.send(call).await;
    assert!(response.is_stream());
    let mut ids = Vec::new();
    while let Some(event) = response.event().await {
        ids.extend(event.id);
    }
    assert_eq!(ids, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn ten_silent_seconds_make_it_a_stream_that_comments_keep_open() {
    let site = Site::open(server().0);
    let start = tokio::time::Instant::now();
    let call = Request::call("wait", json!({"millis": 60_000}));
    let mut response = site.send(call).await;
    assert!(response.is_stream());
    assert_eq!(start.elapsed(), Duration::from_secs(10));
    for seconds in [25, 40, 55] {
        let comment = Event {
            comment: true,
            ..Event::default()
        };
        assert_eq!(response.event().await, Some(comment));
        assert_eq!(start.elapsed(), Duration::from_secs(seconds));
    }
    let message = response.message().await.expect("the response");
    assert_eq!(message["result"]["content"][0]["text"], "waited");
    assert_eq!(response.event().await, None);
}

#[tokio::test(start_paused = true)]
async fn an_error_keeps_its_status_while_it_is_json() {
    let site = Site::open(server().0);
    let required = Request::modern_with(
        json!({}),
        "tools/call",
        json!({"name": "export", "arguments": {}}),
    );
    let response = site.send(required).await;
    assert_eq!(response.status, 400);
    assert_eq!(response.code().await, Some(-32021));

    // A question that the client cannot answer, let out by the tool.
    let asking = Request::modern_with(
        json!({}),
        "tools/call",
        json!({"name": "ask", "arguments": {}}),
    );
    let response = site.send(asking).await;
    assert_eq!(response.status, 400);
    assert_eq!(response.code().await, Some(-32021));
}

#[tokio::test(start_paused = true)]
async fn only_a_2025_11_25_stream_begins_with_an_event_without_content() {
    for (revision, primed) in [
        ("2025-03-26", false),
        ("2025-06-18", false),
        ("2025-11-25", true),
    ] {
        let site = Site::open(server().0);
        let session = LegacySession::open(&site, revision).await;
        let params = json!({"name": "steps", "arguments": {}, "_meta": {"progressToken": 1}});
        for stream in ["POST", "GET"] {
            let mut response = if stream == "POST" {
                site.send(session.request(1, "tools/call", &params)).await
            } else {
                site.send(session.get()).await
            };
            assert!(response.is_stream());
            assert_eq!(response.header("x-accel-buffering"), Some("no"));
            let first = response.event().await.expect("an event");
            let is_priming = first.id.is_some() && first.data.as_deref() == Some("");
            assert_eq!(is_priming, primed, "{revision} {stream}: {first:?}");
            assert_eq!(
                first.retry.is_some(),
                primed,
                "{revision} {stream}: {first:?}"
            );
        }
    }
}
