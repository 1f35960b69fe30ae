//! Over real sockets, with clients that do not behave: the rest of the server does not notice.

use std::sync::Arc;
use std::time::Duration;

use mcp_tasks::Server;
use serde_json::{Value, json};
use tests::http::{LegacySession, Request, Site};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::sync::{Barrier, mpsc};

use crate::listening::Listening;
use crate::tools::server;

#[tokio::test]
async fn a_call_goes_through_a_socket_and_the_server_ends_when_told() {
    let listening = Listening::open(|_| {}).await;
    listening.works().await;
    listening.end().await;
}

#[tokio::test]
async fn half_a_body_hurts_nobody() {
    let listening = Listening::open(|_| {}).await;
    let bytes = Request::call("hold", json!({})).into_bytes();
    let mut half = listening.connect().await;
    half.write_all(&bytes[..bytes.len() - 5])
        .await
        .expect("the server reads");
    listening.works().await;
    half.shutdown().await.expect("a connection");
    listening.works().await;
    assert_eq!(listening.probe.started(), 0);
}

#[tokio::test]
async fn a_reset_in_the_middle_of_a_stream_is_a_cancellation() {
    let listening = Listening::open(|_| {}).await;
    let params = json!({"name": "step_and_hold", "arguments": {}, "_meta": {"progressToken": 1}});
    let mut stream = listening
        .send(Request::modern_with(json!({}), "tools/call", params))
        .await;
    stream.message().await.expect("a step");
    let connection = stream.into_connection();
    connection.set_zero_linger().expect("a socket");
    drop(connection);
    listening.until(|_, probe| probe.dropped() == 1).await;
    listening.works().await;
    listening.is_empty().await;
}

#[tokio::test]
async fn a_reset_in_the_middle_of_a_sessions_stream_leaves_its_call_to_end_by_itself() {
    let listening = Listening::open(|_| {}).await;
    let session = listening.session().await;
    let params = json!({"name": "steps", "arguments": {}, "_meta": {"progressToken": 1}});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let call = Request::post(&call).header("Mcp-Session-Id", &session);
    let mut stream = listening.send(call).await;
    stream.message().await.expect("a step");
    let connection = stream.into_connection();
    connection.set_zero_linger().expect("a socket");
    drop(connection);
    listening.works().await;
    listening.until(|tables, _| tables.requests == 0).await;
    let end = Request::new("DELETE").header("Mcp-Session-Id", &session);
    assert_eq!(listening.send(end).await.status, 204);
    listening.is_empty().await;
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_stops_reading_holds_up_nobody_and_costs_a_bounded_amount() {
    let (server, _) = server();
    let site = Site::open(server);
    let session = LegacySession::open(&site, "2025-11-25").await;
    assert_eq!(
        session
            .ask(1, "logging/setLevel", &json!({"level": "debug"}))
            .await["result"],
        json!({})
    );
    // Says far more than its reader, or any buffer on the way, takes.
    let mut shouting = site
        .send(session.call(2, "shout", &json!({"megabytes": 16})))
        .await;
    assert!(shouting.is_stream());
    let sum = site
        .ask(session.call(3, "add", &json!({"a": 1, "b": 2})))
        .await;
    assert_eq!(sum["result"]["content"][0]["text"], "3");
    // By then it is hoarse.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let messages = shouting.messages().await;
    let bytes: usize = messages
        .iter()
        .map(|message| message.to_string().len())
        .sum();
    assert!(bytes < 4 * 1024 * 1024, "{bytes} bytes were kept");
    assert_eq!(
        messages.last().expect("a response")["id"],
        2,
        "the response is never dropped"
    );
}

#[tokio::test(start_paused = true)]
async fn a_subscriber_that_stops_reading_is_told_how_things_stand_once_it_reads_again() {
    let site = Site::open(server().0);
    let task = site
        .ask(Request::call("babble", json!({"seconds": 600})))
        .await["result"]
        .take();
    let filter = json!({"notifications": {"taskIds": [task["taskId"]]}});
    let mut stream = site
        .send(Request::modern("subscriptions/listen", filter))
        .await;
    assert!(stream.is_stream(), "{}", stream.text().await);
    stream.message().await.expect("the acknowledgement");
    // By then it has said far more than any buffer on the way takes.
    tokio::time::sleep(Duration::from_secs(1_000)).await;
    let mut bytes = 0;
    let last: Value = loop {
        let told = stream.message().await.expect("a state");
        bytes += told.to_string().len();
        if told["params"]["status"] == "completed" {
            break told;
        }
    };
    assert!(bytes < 4 * 1024 * 1024, "{bytes} bytes were kept");
    assert_eq!(last["params"]["result"]["content"][0]["text"], "said");
}

#[tokio::test]
async fn an_address_that_is_taken_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = taken.local_addr().expect("an address");
    let error = Server::new("late").serve_http(address).await.unwrap_err();
    let start = format!("cannot listen at {address}: ");
    assert!(error.to_string().starts_with(&start), "{error}");
}

#[tokio::test]
async fn a_time_that_no_clock_can_tell_is_for_ever() {
    let listening = Listening::open(|limits| limits.receive = Duration::MAX).await;
    listening.works().await;
}

/// Two that are looked at before either is listed must not both run: the answer to one would be lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_calls_of_one_id_that_come_at_once_one_runs_and_the_rest_are_refused_without_it() {
    const AT_ONCE: usize = 4;
    let listening = Arc::new(Listening::open(|_| {}).await);
    let session = listening.session().await;
    let post = |message: &Value| Request::post(message).header("Mcp-Session-Id", &session);
    for id in 1..=50 {
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "hold", "arguments": {}}});
        let (answers, mut answered) = mpsc::unbounded_channel();
        let start = Arc::new(Barrier::new(AT_ONCE));
        for _ in 0..AT_ONCE {
            let (listening, answers) = (Arc::clone(&listening), answers.clone());
            let (start, call) = (Arc::clone(&start), post(&call));
            tokio::spawn(async move {
                start.wait().await;
                let mut answer = listening.send(call).await;
                let text = answer.text().await;
                answers.send((answer.status, text)).expect("the test waits");
            });
        }
        for _ in 1..AT_ONCE {
            let (status, text) = answered.recv().await.expect("a refusal");
            assert_eq!(status, 400, "{text}");
            let refusal: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(refusal["id"], Value::Null, "{refusal}");
            assert_eq!(refusal["error"]["code"], -32600, "{refusal}");
        }
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        listening.send(post(&cancel)).await;
        let (status, _) = answered.recv().await.expect("the end of the one");
        assert_eq!(status, 202);
    }
    assert_eq!(listening.probe.started(), 50);
}
