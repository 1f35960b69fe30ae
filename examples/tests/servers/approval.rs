//! `approval` keeps its word: both questions at once, then a page, and nothing published without all three.

use std::future::IntoFuture;
use std::net::SocketAddr;

use examples::approval::{Uploads, server};
use mcp_tasks::Server;
use mcp_tasks::testing::{Client, ClientKind, Direction, Question, Reply, every_client};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// The clients that can open a page.
fn clients() -> impl Iterator<Item = ClientKind> {
    every_client().filter(|kind| kind.revision() >= "2025-11-25")
}

/// The server, and its page on a port of this machine.
async fn serving() -> (Server, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let uploads = Uploads::new(format!("http://{address}"));
    tokio::spawn(axum::serve(listener, uploads.router()).into_future());
    (server(uploads), address)
}

fn sign_off() -> Reply {
    Reply::Accept(json!({ "name": "Ann", "tested": true }))
}

fn rollout() -> Reply {
    Reply::Accept(json!({ "channel": "Beta" }))
}

/// Opens the page and uploads three bytes.
fn upload(question: &Question, address: SocketAddr) -> Reply {
    let url = question.params["url"].as_str().unwrap();
    let path = url.strip_prefix(&format!("http://{address}")).unwrap();
    let head = format!("PUT {path} HTTP/1.1");
    tokio::spawn(async move {
        let (status, _) = super::http::send(address, &head, "zip").await;
        assert_eq!(status, 200);
    });
    Reply::Accept(Value::Null)
}

#[tokio::test]
async fn a_release_is_published_when_it_is_approved_and_uploaded() {
    let (server, address) = serving().await;
    for kind in clients() {
        let mut client = Client::connect(&server, kind).await;
        let outcome = client
            .call("publish", json!({ "version": "1.4.0" }))
            .reply_to("sign off", sign_off())
            .reply_to("rolled out", rollout())
            .reply_with(move |page| upload(page, address))
            .await;
        let text = "published 1.4.0 (3 bytes) to beta for 10 %, signed off by Ann";
        assert_eq!(outcome.text(), text, "{kind}");
    }
}

#[tokio::test]
async fn both_forms_are_there_before_either_is_answered() {
    let (server, address) = serving().await;
    let mut client = Client::connect(&server, ClientKind::V2026_07_28).await;
    client
        .call("publish", json!({ "version": "1.4.0" }))
        .reply_to("sign off", sign_off())
        .reply_to("rolled out", rollout())
        .reply_with(move |page| upload(page, address))
        .await;
    let asked = client.transcript().iter().filter_map(|(from, message)| {
        let requests = message["result"]["inputRequests"].as_object();
        requests.filter(|_| *from == Direction::ToClient)
    });
    let keys: Vec<Vec<_>> = asked.map(|asked| asked.keys().cloned().collect()).collect();
    assert_eq!(keys, [vec!["sign_off", "rollout"], vec!["archive"]]);
}

#[tokio::test]
async fn nothing_is_published_without_approval() {
    let (server, _) = serving().await;
    for kind in clients() {
        let mut client = Client::connect(&server, kind).await;
        let outcome = client
            .call("publish", json!({ "version": "1.4.0" }))
            .reply_to("sign off", Reply::Decline)
            .reply_to("rolled out", rollout())
            .await;
        assert_eq!(
            outcome.text(),
            "not published: it was not approved",
            "{kind}"
        );
    }
}

#[tokio::test]
async fn nothing_is_asked_of_a_client_that_cannot_open_a_page() {
    let (server, _) = serving().await;
    for kind in every_client().filter(|kind| kind.revision() < "2025-11-25") {
        let mut client = Client::connect(&server, kind).await;
        let outcome = client.call("publish", json!({ "version": "1.4.0" })).await;
        assert!(outcome.is_error() && outcome.questions.is_empty(), "{kind}");
    }
}

#[tokio::test]
async fn a_page_that_nobody_waits_for_takes_nothing() {
    let (_, address) = serving().await;
    let (status, _) = super::http::send(address, "PUT /uploads/guessed HTTP/1.1", "zip").await;
    assert_eq!(status, 404);
}
