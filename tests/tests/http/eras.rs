//! Two eras at one endpoint, at the same time.

use serde_json::json;
use tests::http::{LegacySession, Request, Site};
use tests::tools::server;

#[tokio::test(start_paused = true)]
async fn clients_of_both_eras_are_served_side_by_side() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let older = LegacySession::open(&site, "2025-03-26").await;
    let legacy = site.send(session.call(1, "wait", &json!({"millis": 30_000})));
    let oldest = site.send(older.call(1, "wait", &json!({"millis": 30_000})));
    // Every client counts for itself: one id is nobody else's.
    let modern = site.send(Request::call("wait", json!({"millis": 30_000})));
    let (mut legacy, mut oldest, mut modern) = tokio::join!(legacy, oldest, modern);
    for (response, modern) in [
        (&mut legacy, false),
        (&mut oldest, false),
        (&mut modern, true),
    ] {
        let message = response.message().await.expect("a response");
        assert_eq!(message["id"], 1);
        assert_eq!(message["result"]["content"][0]["text"], "waited");
        assert_eq!(message["result"].get("resultType").is_some(), modern);
    }
}

#[tokio::test(start_paused = true)]
async fn a_modern_request_is_modern_within_a_session_too() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let ping = Request::modern("ping", json!({})).header("Mcp-Session-Id", &session.id);
    assert_eq!(site.send(ping).await.status, 404);
    let stale = Request::modern("tools/list", json!({})).header("Mcp-Session-Id", "gone");
    let list = site.send(stale).await;
    assert_eq!(list.status, 200);
    assert_eq!(list.header("mcp-session-id"), None);
}

#[tokio::test(start_paused = true)]
async fn each_era_has_its_own_methods() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    for method in ["ping", "logging/setLevel"] {
        let params = json!({"level": "info"});
        let served = session.ask(1, method, &params).await;
        assert_eq!(served["result"], json!({}), "{method}");
        let refused = site.send(Request::modern(method, params)).await;
        assert_eq!(refused.status, 404, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_modern_client_that_probes_finds_its_era_and_a_legacy_one_its_own() {
    let site = Site::open(server().0);
    let discover = site
        .ask(Request::modern("server/discover", json!({})))
        .await;
    assert_eq!(
        discover["result"]["supportedVersions"],
        json!(["2026-07-28"])
    );
    assert_eq!(discover["result"]["capabilities"].get("tasks"), None);
    let session = LegacySession::open(&site, "2025-11-25").await;
    assert_eq!(session.offered.get("extensions"), None);
}
