//! Clients in great numbers that mean no good: what is beyond the limits is told so, and everybody else is served.

use std::time::Duration;

use serde_json::{Value, json};
use tests::http::{Request, Response, initialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::listening::Listening;

/// Clients at a time.
const FLOOD: usize = 200;

/// How many of them have room.
const ROOM: usize = 50;

/// Sends the request from all of them at once, with a client that behaves in the middle of it.
async fn flood(listening: &Listening, request: &Request) -> Vec<Response<TcpStream>> {
    let mut flood = JoinSet::new();
    for _ in 0..FLOOD {
        let mut connection = listening.connect().await;
        let bytes = request.clone().into_bytes();
        flood.spawn(async move {
            connection
                .write_all(&bytes)
                .await
                .expect("the server reads");
            Response::read(connection).await
        });
    }
    listening.works().await;
    flood.join_all().await
}

/// Those that had room; each of the others must have been told to come back.
async fn let_in(responses: Vec<Response<TcpStream>>) -> Vec<Response<TcpStream>> {
    let mut let_in = Vec::new();
    for response in responses {
        if response.status == 200 {
            let_in.push(response);
            continue;
        }
        assert_eq!(response.status, 503);
        assert_eq!(response.header("retry-after"), Some("1"));
        let answer = response.json().await;
        assert_eq!(answer["error"]["data"]["retryAfterMs"], 1000, "{answer}");
    }
    assert_eq!(let_in.len(), ROOM);
    let_in
}

#[tokio::test]
async fn a_flood_of_subscriptions_is_let_in_up_to_the_limit() {
    let listening = Listening::open(|limits| limits.subscriptions = ROOM).await;
    let filter = json!({"notifications": {"taskIds": ["0123"]}});
    let listen = Request::modern("subscriptions/listen", filter);
    let streams = let_in(flood(&listening, &listen).await).await;
    listening.works().await;
    drop(streams);
    listening.is_empty().await;
    assert!(listening.send(listen).await.is_stream());
}

#[tokio::test]
async fn a_flood_of_calls_that_wait_for_an_answer_is_let_in_up_to_the_limit() {
    let listening = Listening::open(|limits| limits.live_tasks = ROOM).await;
    let call = |params: Value| {
        let inline = json!({"elicitation": {"form": {}}});
        Request::modern_with(inline, "tools/call", params)
    };
    let ask = call(json!({"name": "ask", "arguments": {}}));
    let mut states = Vec::new();
    for response in let_in(flood(&listening, &ask).await).await {
        let mut asked = response.json().await;
        assert_eq!(asked["result"]["resultType"], "input_required");
        states.push(asked["result"]["requestState"].take());
    }
    listening.works().await;
    for state in states {
        let answers = json!({"name": {"action": "decline"}});
        let retry = json!({"name": "ask", "requestState": state, "inputResponses": answers});
        let done = listening.send(call(retry)).await.json().await;
        assert_eq!(done["result"]["content"][0]["text"], "declined", "{done}");
    }
    listening.is_empty().await;
}

#[tokio::test]
async fn a_flood_of_sessions_is_let_in_up_to_the_limit() {
    let listening = Listening::open(|limits| limits.sessions = ROOM + 1).await;
    let session = listening.session().await;
    let mut ids = vec![session.clone()];
    let opening = Request::post(&initialize("2025-11-25"));
    for response in let_in(flood(&listening, &opening).await).await {
        ids.push(response.header("mcp-session-id").expect("one").to_owned());
    }
    // A session that is open goes on.
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let ping = Request::post(&ping).header("Mcp-Session-Id", &session);
    assert_eq!(listening.send(ping).await.json().await["result"], json!({}));
    for id in ids {
        let end = Request::new("DELETE").header("Mcp-Session-Id", &id);
        assert_eq!(listening.send(end).await.status, 204);
    }
    listening.is_empty().await;
}

#[tokio::test]
async fn a_flood_of_calls_is_let_in_up_to_the_limit_and_leaves_with_its_clients() {
    let listening = Listening::open(|limits| limits.in_flight_total = ROOM).await;
    let params = json!({"name": "step_and_hold", "arguments": {}, "_meta": {"progressToken": 1}});
    let hold = Request::modern_with(json!({}), "tools/call", params);
    let mut calls = JoinSet::new();
    for _ in 0..FLOOD {
        let mut connection = listening.connect().await;
        let bytes = hold.clone().into_bytes();
        calls.spawn(async move {
            connection
                .write_all(&bytes)
                .await
                .expect("the server reads");
            Response::read(connection).await
        });
    }
    let streams = let_in(calls.join_all().await).await;
    // What takes no time is answered all the same.
    let list = Request::modern("tools/list", json!({}));
    assert_eq!(listening.send(list).await.status, 200);
    drop(streams);
    listening.is_empty().await;
    listening.works().await;
}

#[tokio::test]
async fn connections_beyond_the_limit_are_told_so_and_closed() {
    let listening = Listening::open(|limits| limits.connections = ROOM).await;
    // Has its connection before they come.
    let add = Request::call("add", json!({"a": 1, "b": 2}));
    let mut first = listening.send(add.clone()).await.into_connection();
    let mut silent = Vec::new();
    for _ in 1..ROOM {
        silent.push(listening.connect().await);
    }
    let mut turned_away = Response::read(listening.connect().await).await;
    assert_eq!(turned_away.status, 503);
    assert_eq!(turned_away.header("retry-after"), Some("1"));
    assert_eq!(turned_away.text().await, "");

    first
        .write_all(&add.clone().into_bytes())
        .await
        .expect("the server reads");
    let sum: Value = Response::read(first).await.json().await;
    assert_eq!(sum["result"]["content"][0]["text"], "3");
    drop(silent);
    // Their room is there as soon as the server has seen them go.
    while listening.send(add.clone()).await.status != 200 {}
}

#[tokio::test]
async fn a_connection_that_sends_nothing_is_closed() {
    let listening = Listening::open(|limits| limits.receive = Duration::from_secs(1)).await;
    let mut silent = listening.connect().await;
    let mut half = listening.connect().await;
    half.write_all(b"POST /mcp HTTP/1.1\r\nHost: loc")
        .await
        .expect("the server reads");
    for connection in [&mut silent, &mut half] {
        let mut rest = Vec::new();
        connection.read_to_end(&mut rest).await.expect("an end");
    }
    listening.works().await;
}

#[tokio::test]
async fn a_body_without_end_is_refused_at_the_limit() {
    let listening = Listening::open(|limits| limits.body_bytes = 100_000).await;
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
        Transfer-Encoding: chunked\r\n\r\n";
    let (read, mut write) = listening.connect().await.into_split();
    let writing = tokio::spawn(async move {
        let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
        let _ = write.write_all(head.as_bytes()).await;
        while write.write_all(chunk.as_bytes()).await.is_ok() {}
    });
    let refused = Response::read(read).await;
    assert_eq!(refused.status, 413);
    drop(refused);
    writing.await.expect("the server stopped reading");
    listening.works().await;
}

#[tokio::test]
async fn large_bodies_that_never_end_do_not_use_up_the_memory_for_all() {
    let listening = Listening::open(|limits| limits.body_bytes_total = 1_000_000).await;
    let large = Request::call("echo", json!({"text": "x".repeat(600_000)}));
    let bytes = large.clone().into_bytes();
    let mut half = listening.connect().await;
    half.write_all(&bytes[..bytes.len() - 1])
        .await
        .expect("the server reads");
    // Refused as soon as the other's bytes are in: whichever of them is last.
    loop {
        let second = listening.send(large.clone()).await;
        if second.status == 503 {
            assert_eq!(second.header("retry-after"), Some("1"));
            break;
        }
        assert_eq!(second.status, 200);
    }
    listening.works().await;
    half.write_all(&bytes[bytes.len() - 1..])
        .await
        .expect("the server reads");
    assert_eq!(Response::read(half).await.status, 200);
    assert_eq!(listening.send(large).await.status, 200);
}
