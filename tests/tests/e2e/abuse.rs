//! Lines no client should send: each has its answer or none, and the server lives.

use mcp_tasks::testing::{Client, ClientKind, every_client};
use serde_json::{Value, json};
use tests::session::{Session, text};
use tests::tools::server;

use ClientKind::{V2025_11_25, V2026_07_28};

async fn assert_alive(client: &mut Client) {
    assert_eq!(
        client.call("add", json!({ "a": 1, "b": 2 })).await.text(),
        "3"
    );
}

/// Sends a line that is no message, and checks the error it must get and that the server lives.
async fn assert_refused(line: &[u8], code: i64) {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        client.send_line(line).await;
        let error = client.recv().await;
        let shown = String::from_utf8_lossy(&line[..line.len().min(60)]);
        assert_eq!(error["error"]["code"], code, "{kind}: {shown}: {error}");
        assert!(error.get("id").is_none(), "{kind}: {error}");
        assert_alive(&mut client).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_malformed_line_is_a_parse_error_without_an_id() {
    for line in [
        &b"{"[..],
        b"nonsense",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,",
        b"{}}",
        b"\"",
        b"{\"a\":01}",
    ] {
        assert_refused(line, -32700).await;
    }
}

#[tokio::test(start_paused = true)]
async fn invalid_utf_8_is_a_parse_error() {
    assert_refused(
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xff\xfe\"}",
        -32700,
    )
    .await;
    assert_refused(b"\xff\xfe\xfd", -32700).await;
}

#[tokio::test(start_paused = true)]
async fn json_that_is_no_message_is_an_invalid_request() {
    for line in [
        &b"7"[..],
        b"\"text\"",
        b"null",
        b"true",
        b"{}",
        b"{\"jsonrpc\":\"2.0\"}",
    ] {
        assert_refused(line, -32600).await;
    }
}

#[tokio::test(start_paused = true)]
async fn parameters_by_position_are_refused() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        client
            .send(json!({ "jsonrpc": "2.0", "id": 77, "method": "tools/list", "params": [1] }))
            .await;
        let error = client.recv().await;
        assert_eq!(error["error"]["code"], -32600, "{kind}: {error}");
        assert_alive(&mut client).await;
    }
}

#[tokio::test(start_paused = true)]
async fn blank_lines_are_skipped() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        for blank in [&b""[..], b"  ", b"\r", b"\t"] {
            client.send_line(blank).await;
        }
        assert_eq!(client.leftovers().await, Vec::<Value>::new(), "{kind}");
        assert_alive(&mut client).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_line_may_end_in_carriage_return_and_hold_blanks() {
    let mut client = Session::open(&server().0, V2025_11_25).await;
    client
        .send_line(b"  { \"jsonrpc\" : \"2.0\" , \"method\" : \"ping\" , \"id\" : 77 } \r")
        .await;
    assert_eq!(client.response(&json!(77)).await.unwrap(), json!({}));
}

#[tokio::test]
async fn a_line_beyond_the_limit_is_refused_and_the_next_one_read() {
    let mut client = Session::open(&server().0, V2025_11_25).await;
    let mut line = br#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"echo","arguments":{"text":""#.to_vec();
    line.resize(70 << 20, b'x');
    line.extend_from_slice(br#""}}}"#);
    client.send_line(&line).await;
    drop(line);
    let error = client.recv().await;
    assert!(
        matches!(error["error"]["code"].as_i64(), Some(-32700 | -32600)),
        "{error}"
    );
    assert!(error.get("id").is_none(), "{error}");
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn a_long_line_within_the_limit_is_read() {
    let mut client = Session::open(&server().0, V2025_11_25).await;
    let result = client
        .call_plainly("echo", json!({ "text": "x".repeat(8 << 20) }))
        .await
        .unwrap();
    assert_eq!(text(&result).len(), 8 << 20);
}

#[tokio::test(start_paused = true)]
async fn deep_nesting_breaks_nothing() {
    const DEPTH: usize = 10_000;
    let (server, _) = server();
    let deep = "[".repeat(DEPTH) + &"]".repeat(DEPTH);
    for kind in [V2025_11_25, V2026_07_28] {
        // The transcript cannot hold such lines, so there is nothing to judge it by.
        let mut client = Client::connect(&server, kind).await;
        let params = format!(r#"{{"name":"echo","arguments":{{"text":{deep}}}}}"#);
        let call =
            format!(r#"{{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{params}}}"#);
        let meta = format!(
            r#"{{"jsonrpc":"2.0","id":78,"method":"tools/list","params":{{"_meta":{deep}}}}}"#
        );
        for line in [call, meta, deep.clone(), deep[..DEPTH].to_owned()] {
            client.send_line(line.as_bytes()).await;
            let answer = client.recv().await;
            let refused = answer.get("error").is_some() || answer["result"]["isError"] == true;
            assert!(refused, "{kind}: {answer}");
        }
        assert_alive(&mut client).await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_id_still_in_flight_cannot_be_used_again() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let id = client
            .start(
                "tools/call",
                json!({ "name": "wait", "arguments": { "millis": 1000 } }),
            )
            .await;
        let request = client.transcript().last().expect("the request").1.clone();
        client.send(request).await;
        let refused = client.recv().await;
        assert_eq!(refused["error"]["code"], -32600, "{kind}");
        assert!(refused.get("id").is_none(), "{kind}: {refused}");
        assert_eq!(
            text(&client.response(&id).await.unwrap()),
            "waited",
            "{kind}"
        );
        assert_eq!(client.leftovers().await, Vec::<Value>::new(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_modern_id_may_be_used_again_once_it_was_answered() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let id = client.start("tools/call", json!({ "name": "noop" })).await;
    client.response(&id).await.unwrap();
    let request = client.transcript()[0].1.clone();
    client.send(request).await;
    assert!(client.response(&id).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn unicode_and_escapes_survive_the_way_there_and_back() {
    let (server, _) = server();
    let odd = "line\nbreak\u{2028}\u{0}\u{1F980} \"quoted\" \\ \u{7f} \u{feff}";
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("echo", json!({ "text": odd })).await;
        assert_eq!(outcome.text(), odd, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_member_named_twice_breaks_nothing() {
    let mut client = Session::open(&server().0, V2025_11_25).await;
    client
        .send_line(br#"{"jsonrpc":"2.0","id":77,"id":78,"method":"ping"}"#)
        .await;
    let answer = client.recv().await;
    assert!(
        answer.get("result").is_some() || answer["error"]["code"].is_i64(),
        "{answer}"
    );
    assert_alive(&mut client).await;
}

#[tokio::test(start_paused = true)]
async fn a_thousand_calls_at_once_are_all_answered() {
    let (server, _) = server();
    let mut client = Session::open(&server, V2025_11_25).await;
    let mut ids = Vec::new();
    for _ in 0..1000 {
        ids.push(
            client
                .start(
                    "tools/call",
                    json!({ "name": "add", "arguments": { "a": 1, "b": 2 } }),
                )
                .await,
        );
    }
    for id in &ids {
        assert_eq!(text(&client.response(id).await.unwrap()), "3");
    }
}
