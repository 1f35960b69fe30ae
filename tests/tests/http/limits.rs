//! How much a server takes on over HTTP, and what it says beyond that.

use std::time::Duration;

use mcp_tasks::testing::{Tables, tables};
use mcp_tasks::{Limits, Server};
use serde_json::{Value, json};
use tests::http::{LegacySession, Request, Response, Site, USER, initialize};
use tests::tools::Probe;

use crate::tools::server;

fn limited(change: impl FnOnce(&mut Limits)) -> (Server, Probe) {
    let mut limits = Limits::default();
    change(&mut limits);
    let (server, probe) = server();
    (server.limits(limits), probe)
}

/// Lets everything happen that is due.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

fn wait(millis: u64) -> Request {
    Request::call("wait", json!({"millis": millis}))
}

fn listen(tasks: &[&str]) -> Request {
    let filter = json!({"notifications": {"taskIds": tasks}});
    Request::modern("subscriptions/listen", filter)
}

/// A call that asks, of a client that follows no tasks: it is parked.
fn ask() -> Request {
    let inline = json!({"elicitation": {"form": {}}});
    Request::modern_with(
        inline,
        "tools/call",
        json!({"name": "ask", "arguments": {}}),
    )
}

/// The response must say that there is no room, to the request with this id and in every way there is.
async fn refused(response: Response, status: u16, id: u64) {
    assert_eq!(response.status, status);
    assert_eq!(response.header("retry-after"), Some("1"));
    let answer = response.json().await;
    assert_eq!(answer["id"], id, "{answer}");
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
    let text = answer["error"]["message"].as_str().expect("a text");
    assert!(text.starts_with("too many "), "{text}");
    assert_eq!(answer["error"]["data"], json!({"retryAfterMs": 1000}));
}

fn counted(server: &Server) -> usize {
    let Tables { counted, .. } = tables(server);
    counted
}

#[tokio::test(start_paused = true)]
async fn requests_of_all_clients_together_are_limited() {
    let (server, _) = limited(|limits| limits.in_flight_total = 2);
    let site = Site::open(server.clone());
    let session = LegacySession::open(&site, "2025-11-25").await;
    let modern = site.send(wait(60_000)).await;
    let legacy = session.call(1, "wait", &json!({"millis": 60_000}));
    let legacy = site.send(legacy).await;
    refused(site.send(wait(1)).await, 503, 1).await;
    refused(site.send(listen(&[])).await, 503, 1).await;
    // A session's client reads of it in the answer: its revision has no statuses for it.
    let answer = session.ask(2, "tools/call", &json!({"name": "noop"})).await;
    assert_eq!(answer["error"]["data"], json!({"retryAfterMs": 1000}));
    // What takes no time has room always.
    let list = Request::modern("tools/list", json!({}));
    assert_eq!(site.send(list).await.status, 200);

    drop(modern);
    settle().await;
    assert_eq!(site.send(wait(1)).await.status, 200);
    // The call of a client that left goes on, and counts.
    drop(legacy);
    settle().await;
    let _modern = site.send(wait(60_000)).await;
    refused(site.send(wait(1)).await, 503, 1).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(site.send(session.delete()).await.status, 204);
    settle().await;
    assert_eq!(counted(&server), 0);
}

#[tokio::test(start_paused = true)]
async fn one_caller_does_not_use_up_the_requests_of_theothers() {
    let (server, _) = limited(|limits| limits.in_flight_per_principal = 1);
    let site = Site::open(server);
    let _first = site.send(wait(60_000).header(USER, "ada")).await;
    refused(site.send(wait(1).header(USER, "ada")).await, 429, 1).await;
    for other in [wait(1).header(USER, "eve"), wait(1)] {
        assert_eq!(site.send(other).await.status, 200);
    }
}

#[tokio::test(start_paused = true)]
async fn a_subscription_counts_as_often_as_it_names_tasks() {
    let (server, _) = limited(|limits| {
        limits.subscriptions = 5;
        limits.subscriptions_per_principal = 3;
    });
    let site = Site::open(server.clone());
    let one = site.send(listen(&[]).header(USER, "ada")).await;
    let two = site.send(listen(&["a", "b"]).header(USER, "ada")).await;
    assert!(one.is_stream() && two.is_stream());
    refused(site.send(listen(&["c"]).header(USER, "ada")).await, 429, 1).await;
    refused(site.send(listen(&["a", "b", "c"])).await, 503, 1).await;
    let other = site.send(listen(&["a", "b"])).await;
    drop(two);
    settle().await;
    let again = site.send(listen(&["a"]).header(USER, "ada")).await;
    assert!(again.is_stream());
    drop((one, other, again));
    settle().await;
    assert_eq!(counted(&server), 0);
}

#[tokio::test(start_paused = true)]
async fn calls_that_wait_for_their_client_are_limited() {
    let (server, probe) = limited(|limits| {
        limits.live_tasks = 2;
        limits.live_tasks_per_principal = 1;
    });
    let site = Site::open(server.clone());
    let asked = site.ask(ask().header(USER, "ada")).await;
    assert_eq!(asked["result"]["resultType"], "input_required");
    refused(site.send(ask().header(USER, "ada")).await, 429, 1).await;
    site.ask(ask()).await;
    refused(site.send(ask().header(USER, "eve")).await, 503, 1).await;
    settle().await;
    assert_eq!(probe.started() - probe.dropped(), 2, "the refused are gone");

    let retry = json!({
        "name": "ask",
        "arguments": {},
        "requestState": asked["result"]["requestState"],
        "inputResponses": {"name": {"action": "decline"}},
    });
    let inline = json!({"elicitation": {"form": {}}});
    let retry = Request::modern_with(inline, "tools/call", retry).header(USER, "ada");
    let done = site.ask(retry).await;
    assert_eq!(done["result"]["content"][0]["text"], "declined");
    let next = site.ask(ask().header(USER, "ada")).await;
    assert_eq!(next["result"]["resultType"], "input_required");
    // Nobody comes back for them.
    tokio::time::sleep(Duration::from_secs(601)).await;
    assert_eq!(counted(&server), 0);
    assert_eq!(probe.started(), probe.dropped());
}

#[tokio::test(start_paused = true)]
async fn what_calls_keep_of_their_requests_while_they_wait_is_limited() {
    let (server, _) = limited(|limits| limits.kept_bytes = 1_000);
    let site = Site::open(server.clone());
    let note = |text: &str| {
        let inline = json!({"elicitation": {"form": {}}});
        let params = json!({"name": "note", "arguments": {"text": text}});
        Request::modern_with(inline, "tools/call", params)
    };
    let large = "x".repeat(600);
    let asked = site.ask(note(&large)).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    refused(site.send(note(&large)).await, 503, 1).await;
    let asked = site.ask(note("x")).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    tokio::time::sleep(Duration::from_secs(601)).await;
    assert_eq!(counted(&server), 0);
}

#[tokio::test(start_paused = true)]
async fn sessions_are_limited_for_all_and_for_each_caller() {
    let (server, _) = limited(|limits| {
        limits.sessions = 3;
        limits.sessions_per_principal = 1;
    });
    let site = Site::open(server.clone());
    let open = |user: &str| Request::post(&initialize("2025-11-25")).header(USER, user);
    let ada = LegacySession::open_as(&site, "2025-11-25", Some("ada")).await;
    refused(site.send(open("ada")).await, 429, 0).await;
    LegacySession::open_as(&site, "2025-11-25", Some("eve")).await;
    LegacySession::open(&site, "2025-11-25").await;
    refused(site.send(open("bob")).await, 503, 0).await;
    assert_eq!(site.send(ada.delete()).await.status, 204);
    LegacySession::open_as(&site, "2025-11-25", Some("ada")).await;
}

#[tokio::test(start_paused = true)]
async fn a_session_that_nobody_uses_after_its_opening_ends_within_a_minute() {
    let (server, _) = limited(|limits| limits.sessions = 2);
    let site = Site::open(server.clone());
    let used = LegacySession::open(&site, "2025-11-25").await;
    let unused = site.send(Request::post(&initialize("2025-11-25"))).await;
    let unused = unused
        .header("mcp-session-id")
        .expect("a session")
        .to_owned();
    let opening = Request::post(&initialize("2025-11-25"));
    refused(site.send(opening.clone()).await, 503, 0).await;

    tokio::time::sleep(Duration::from_secs(61)).await;
    let ping = used.request(1, "ping", &json!({}));
    let gone = ping.clone().header("Mcp-Session-Id", &unused);
    assert_eq!(site.send(gone).await.status, 404);
    assert_eq!(site.send(ping).await.status, 200);
    assert_eq!(site.send(opening).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn a_task_beyond_the_limit_is_refused_as_anything_else_is() {
    let (server, _) = limited(|limits| limits.live_tasks = 1);
    let site = Site::open(server);
    let nap = || Request::call("nap", json!({"millis": 60_000}));
    let made: Value = site.ask(nap()).await;
    assert_eq!(made["result"]["resultType"], "task");
    refused(site.send(nap()).await, 503, 1).await;
}
