//! Batches: a part of 2025-03-26, and of no other revision.

use mcp_tasks::testing::{ClientKind, Direction, every_client};
use serde_json::{Value, json};
use tests::session::Session;
use tests::tools::server;

use ClientKind::V2025_03_26;

fn call(id: i64) -> Value {
    let params = json!({ "name": "add", "arguments": { "a": id, "b": 1 } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

#[tokio::test(start_paused = true)]
async fn every_member_is_answered() {
    let mut client = Session::open(&server().0, V2025_03_26).await;
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    client.send(json!([call(70), initialized, call(71), { "jsonrpc": "2.0", "id": 72, "method": "ping" }])).await;
    assert_eq!(client.response(&json!(72)).await.unwrap(), json!({}));
    assert_eq!(
        client.response(&json!(71)).await.unwrap()["content"][0]["text"],
        "72"
    );
    assert_eq!(
        client.response(&json!(70)).await.unwrap()["content"][0]["text"],
        "71"
    );
    assert_eq!(client.leftovers().await, Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn a_batch_of_notifications_is_not_answered() {
    let mut client = Session::open(&server().0, V2025_03_26).await;
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    client.send(json!([notification, notification])).await;
    assert_eq!(client.leftovers().await, Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn a_bad_member_spoils_only_itself() {
    let mut client = Session::open(&server().0, V2025_03_26).await;
    let unknown = json!({ "jsonrpc": "2.0", "id": 73, "method": "frobnicate" });
    client.send(json!([unknown, 7, call(74)])).await;
    assert_eq!(
        client.response(&json!(74)).await.unwrap()["content"][0]["text"],
        "75"
    );
    assert_eq!(client.response(&json!(73)).await.unwrap_err().code, -32601);
    let rest = client.leftovers().await;
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(rest[0]["error"]["code"], -32600);
}

#[tokio::test(start_paused = true)]
async fn an_empty_batch_is_refused() {
    let mut client = Session::open(&server().0, V2025_03_26).await;
    client.send(json!([])).await;
    let refused = client.recv().await;
    assert_eq!(refused["error"]["code"], -32600);
    assert_eq!(
        client.call("add", json!({ "a": 1, "b": 2 })).await.text(),
        "3"
    );
}

#[tokio::test(start_paused = true)]
async fn initialize_has_no_place_in_a_batch() {
    let mut client = Session::open(&server().0, V2025_03_26).await;
    let hello = client.transcript()[0].1.clone();
    assert_eq!(hello["method"], "initialize");
    let mut again = hello;
    again["id"] = json!(75);
    client.send(json!([again, call(76)])).await;
    assert_eq!(client.response(&json!(75)).await.unwrap_err().code, -32600);
}

#[tokio::test(start_paused = true)]
async fn other_revisions_refuse_the_whole_batch() {
    let (server, _) = server();
    for kind in every_client().filter(|kind| *kind != V2025_03_26) {
        let mut client = Session::open(&server, kind).await;
        client.send(json!([call(70), call(71)])).await;
        let refused = client.recv().await;
        assert_eq!(refused["error"]["code"], -32600, "{kind}");
        assert!(refused.get("id").is_none(), "{kind}: {refused}");
        assert_eq!(client.leftovers().await, Vec::<Value>::new(), "{kind}");
        assert_eq!(
            client.call("add", json!({ "a": 1, "b": 2 })).await.text(),
            "3",
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_outside_a_batch_is_answered_outside_one() {
    let mut client = Session::open(&server().0, V2025_03_26).await;
    client.call("add", json!({ "a": 1, "b": 2 })).await;
    let answered = |(direction, line): &(Direction, Value)| {
        *direction == Direction::ToClient && line.is_array()
    };
    assert!(!client.transcript().iter().any(answered));
}
