//! The testing client itself: what it says is what a client of its kind may say.

use std::time::Duration;

use mcp_tasks::testing::{Client, ClientKind, End, Reply, every_client};
use serde_json::json;
use tests::session::{Session, agree};
use tests::tools::server;
use tests::transcript;

#[tokio::test(start_paused = true)]
async fn every_client_speaks_by_the_schema_of_its_revision() {
    let (server, _) = server();
    for kind in every_client() {
        let builder = Client::builder(kind).log_level("info");
        let mut client = Session::with(builder, &server).await;
        client.call("steps", json!({})).ttl(60_000).await;
        if kind != ClientKind::V2025_03_26 {
            client
                .call("ask_in_turn", json!({}))
                .reply_with(agree)
                .await;
            client.call("ask", json!({})).decline().await;
            client.call("ask", json!({})).dismiss().await;
        }
        client.request("tools/list", json!({})).await.unwrap();
        transcript::judge_client(kind, client.transcript());
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_tells_what_it_saw_on_the_way() {
    let (server, _) = server();
    for kind in every_client().filter(|kind| *kind != ClientKind::V2025_03_26) {
        let mut client = Session::open(&server, kind).await;
        let outcome = client
            .call("ask", json!({}))
            .accept(json!({ "name": "Ada" }))
            .await;
        assert_eq!(outcome.text(), "Hello, Ada!", "{kind}");
        assert_eq!(outcome.questions.len(), 1, "{kind}");
        assert_eq!(
            outcome.questions[0].message(),
            "What is your name?",
            "{kind}"
        );
        let seen = |status: &str| outcome.statuses.iter().any(|seen| seen == status);
        assert_eq!(
            seen("input_required"),
            kind.follows_tasks(),
            "{kind}: {:?}",
            outcome.statuses
        );
        assert_eq!(
            seen("completed"),
            kind.follows_tasks(),
            "{kind}: {:?}",
            outcome.statuses
        );
    }
}

#[tokio::test(start_paused = true)]
async fn every_client_can_cancel_a_call_at_a_time() {
    for kind in every_client() {
        let (server, probe) = server();
        let mut client = Session::open(&server, kind).await;
        let outcome = client
            .call("nap", json!({ "millis": 60_000 }))
            .cancel_after(Duration::from_secs(45))
            .await;
        assert!(outcome.was_cancelled(), "{kind}: {outcome:?}");
        client.leftovers().await;
        assert_eq!((probe.started(), probe.dropped()), (1, 1), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_can_cancel_a_call_that_asks_it_something() {
    let (server, _) = server();
    for kind in every_client().filter(|kind| kind.asks()) {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("ask", json!({})).reply(Reply::CancelCall);
        let outcome = outcome.await;
        // There the question is the call's answer, and the client just does not come back.
        let parked = kind == ClientKind::V2026_07_28;
        assert_eq!(outcome.end == End::Unanswered, parked, "{kind}");
        assert_eq!(outcome.was_cancelled(), !parked, "{kind}: {outcome:?}");
    }
}
