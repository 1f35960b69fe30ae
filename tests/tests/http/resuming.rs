//! Streams of a session that broke off, and their clients who come back by `Last-Event-ID`.

use std::time::Duration;

use mcp_tasks::Limits;
use mcp_tasks::testing::tables;
use serde_json::json;
use tests::http::{LegacySession, Response, Site};

use crate::tools::server;

async fn steps(site: &Site, session: &LegacySession<'_>, id: u64) -> Response {
    let params = json!({"name": "steps", "arguments": {}, "_meta": {"progressToken": id}});
    site.send(session.request(id, "tools/call", &params)).await
}

#[tokio::test(start_paused = true)]
async fn the_rest_of_a_response_is_there_for_who_comes_back() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut stream = steps(&site, &session, 1).await;
    let (last, _) = stream.numbered_message().await.expect("the first step");
    drop(stream);
    tokio::time::sleep(Duration::from_secs(60)).await;

    let mut rest = site.send(session.resume(&last.expect("an id"))).await;
    let rest = rest.messages().await;
    assert_eq!(rest.len(), 3, "{rest:?}");
    assert_eq!(rest[0]["params"]["progress"], 2);
    assert_eq!(rest[1]["params"]["progress"], 3);
    assert_eq!(rest[2]["result"]["content"][0]["text"], "done");
}

#[tokio::test(start_paused = true)]
async fn the_priming_event_is_enough_to_come_back_for_everything() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut stream = steps(&site, &session, 1).await;
    let priming = stream.event().await.expect("an event");
    assert_eq!(priming.data.as_deref(), Some(""));
    drop(stream);
    let mut rest = site.send(session.resume(&priming.id.expect("an id"))).await;
    assert_eq!(rest.messages().await.len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_client_left_before_it_said_anything_can_be_resumed() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut stream = site
        .send(session.call(1, "wait", &json!({"millis": 30_000})))
        .await;
    let priming = stream.event().await.expect("an event");
    drop(stream);
    let mut rest = site.send(session.resume(&priming.id.expect("an id"))).await;
    let rest = rest.messages().await;
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["id"], 1);
}

#[tokio::test(start_paused = true)]
async fn no_stream_replays_what_belongs_to_another() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let (mut one, mut two) = (
        steps(&site, &session, 1).await,
        steps(&site, &session, 2).await,
    );
    let (first, _) = one.numbered_message().await.expect("a step");
    let (second, _) = two.numbered_message().await.expect("a step");
    assert_ne!(first, second, "ids are unique in a session");
    drop((one, two));
    let mut rest = site.send(session.resume(&second.expect("an id"))).await;
    for message in rest.messages().await {
        let of_two = message["id"] == 2 || message["params"]["progressToken"] == 2;
        assert!(of_two, "{message}");
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_comes_back_takes_over_from_a_connection_that_only_seems_alive() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut stale = steps(&site, &session, 1).await;
    let (last, _) = stale.numbered_message().await.expect("a step");
    let mut fresh = site.send(session.resume(&last.expect("an id"))).await;
    assert_eq!(fresh.messages().await.len(), 3);
    assert_eq!(stale.message().await, None);
}

#[tokio::test(start_paused = true)]
async fn an_event_id_that_never_was_gives_the_sessions_own_stream() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    for id in ["", "7-7", "nonsense", "99999999999999999999-1"] {
        let own = site.send(session.resume(id)).await;
        assert_eq!(own.status, 200, "{id}");
        assert!(own.is_stream(), "{id}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_read_to_its_end_is_over() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut stream = steps(&site, &session, 1).await;
    let (last, _) = stream.numbered_message().await.expect("a step");
    assert_eq!(stream.messages().await.len(), 3);
    drop(stream);
    tokio::time::sleep(Duration::from_millis(1)).await;
    // Not replayed: a session's own stream says nothing by itself.
    let mut own = site.send(session.resume(&last.expect("an id"))).await;
    let priming = own.event().await.expect("an event");
    assert_eq!(priming.data.as_deref(), Some(""));
    assert!(own.event().await.expect("a comment").comment);
}

#[tokio::test(start_paused = true)]
async fn responses_that_nobody_comes_back_for_are_kept_up_to_a_limit_and_the_session_goes_on() {
    let mut limits = Limits::default();
    limits.kept_bytes = 100_000;
    let (server, _) = server();
    let server = server.limits(limits);
    let site = Site::open(server.clone());
    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut priming = Vec::new();
    for id in 0..3 {
        let arguments = json!({"text": "x".repeat(40_000), "millis": 20_000});
        let mut stream = site.send(session.call(id, "mumble", &arguments)).await;
        priming.push(stream.event().await.expect("an event").id.expect("an id"));
    }
    tokio::time::sleep(Duration::from_secs(60)).await;
    // The two that ended first had room.
    for (id, event) in priming.iter().enumerate() {
        let mut rest = site.send(session.resume(event)).await;
        if id < 2 {
            let rest = rest.messages().await;
            assert_eq!(rest.last().expect("a response")["id"], id);
        } else {
            // In its place, the session's own stream.
            let own = rest.event().await.expect("an event");
            assert_eq!(own.id.as_deref(), Some("0-0"));
        }
    }
    assert_eq!(site.send(session.delete()).await.status, 204);
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(tables(&server).counted, 0);
}
