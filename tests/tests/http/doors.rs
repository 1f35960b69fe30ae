//! Who is let in, and what is turned away before anybody looks at what it asks for.

use mcp_tasks::Limits;
use serde_json::json;
use tests::http::{Request, Response, Site, initialize};
use tests::tools::{plain_server, server};
use tokio::io::AsyncWriteExt;

fn discover() -> Request {
    Request::modern("server/discover", json!({}))
}

#[tokio::test(start_paused = true)]
async fn a_host_or_an_origin_from_elsewhere_is_forbidden_whatever_it_asks() {
    let site = Site::open(plain_server());
    for request in [
        discover(),
        Request::post(&initialize("2025-11-25")),
        Request::new("GET"),
        Request::new("DELETE"),
        Request::post(&json!("nothing")),
    ] {
        let evil = request.clone().header("Host", "evil.example.com");
        assert_eq!(site.send(evil).await.status, 403);
        for origin in ["http://evil.example.com", "null"] {
            let evil = request.clone().header("Origin", origin);
            let refused = site.send(evil).await;
            assert_eq!(refused.status, 403);
            let refused = refused.json().await;
            assert_eq!(refused["error"]["code"], -32600);
            assert!(refused.get("id").is_none(), "{refused}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_second_host_or_origin_is_not_hidden_by_the_first() {
    let site = Site::open(plain_server());
    for (name, evil) in [
        ("Host", "evil.example.com"),
        ("Origin", "http://evil.example.com"),
    ] {
        let good = evil.replace("evil.example.com", "localhost");
        let good = discover().header(name, &good);
        assert_eq!(site.send(good.clone()).await.status, 200, "{name}");
        let refused = site.send(good.and_header(name, evil)).await;
        assert_eq!(refused.status, 403, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_host_of_the_request_s_target_is_checked_like_the_header() {
    let site = Site::open(plain_server());
    for (target, status) in [
        ("http://localhost:8080/mcp", 200),
        ("http://evil.example.com/mcp", 403),
        ("http://localhost@evil.example.com/mcp", 403),
    ] {
        let response = site.send(discover().at(target)).await;
        assert_eq!(response.status, status, "{target}");
    }
}

#[tokio::test(start_paused = true)]
async fn this_machine_is_let_in_by_each_of_its_names() {
    let site = Site::open(plain_server());
    for name in [
        "localhost",
        "localhost:3000",
        "127.0.0.1:3000",
        "[::1]:3000",
    ] {
        let request = discover()
            .header("Host", name)
            .header("Origin", &format!("http://{name}"));
        assert_eq!(site.send(request).await.status, 200, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn names_can_be_allowed() {
    let server = plain_server()
        .allow_host("api.example.com")
        .allow_origin("https://app.example.com");
    let site = Site::open(server);
    let request = discover()
        .header("Host", "api.example.com")
        .header("Origin", "https://app.example.com");
    assert_eq!(site.send(request).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn other_methods_are_not_allowed() {
    let site = Site::open(plain_server());
    for method in ["PUT", "PATCH", "OPTIONS", "TRACE"] {
        let refused = site.send(Request::new(method)).await;
        assert_eq!(refused.status, 405, "{method}");
        assert_eq!(
            refused.header("allow"),
            Some("POST, GET, DELETE"),
            "{method}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn get_and_delete_are_for_sessions_alone() {
    let site = Site::open(plain_server());
    for method in ["GET", "DELETE"] {
        let refused = site.send(Request::new(method)).await;
        assert_eq!(refused.status, 405, "{method}");
        assert_eq!(refused.header("allow"), Some("POST"), "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_is_no_message_is_a_bad_request_without_an_id() {
    let site = Site::open(plain_server());
    for (body, code) in [
        ("", -32700),
        ("{", -32700),
        ("null", -32600),
        ("[]", -32600),
        (r#"{"jsonrpc":"2.0"}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
    ] {
        let refused = site.send(Request::new("POST").body(body)).await;
        assert_eq!(refused.status, 400, "{body}");
        let refused = refused.json().await;
        assert_eq!(refused["error"]["code"], code, "{body}");
        assert!(refused.get("id").is_none_or(|id| *id == 1), "{refused}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_without_a_session_is_refused() {
    let site = Site::open(plain_server());
    let batch = json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}]);
    let refused = site.send(Request::post(&batch)).await;
    assert_eq!(refused.status, 400);
    assert_eq!(refused.code().await, Some(-32600));
}

#[tokio::test(start_paused = true)]
async fn a_body_above_the_limit_is_refused_with_the_limit_in_its_text() {
    let mut limits = Limits::default();
    limits.body_bytes = 1_000;
    let site = Site::open(plain_server().limits(limits));
    let refused = site.send(discover().body("x".repeat(1_001))).await;
    assert_eq!(refused.status, 413);
    let refused = refused.json().await;
    let text = refused["error"]["message"].as_str().expect("a text");
    assert!(text.contains("1000 bytes"), "{text}");
    assert_eq!(site.send(discover()).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_arrive_in_time_is_given_up() {
    let site = Site::open(plain_server());
    let bytes = discover().into_bytes();
    let mut connection = site.connect();
    connection
        .write_all(&bytes[..bytes.len() - 5])
        .await
        .expect("the server reads");
    let start = tokio::time::Instant::now();
    let refused = Response::read(connection).await;
    assert_eq!(start.elapsed().as_secs(), 60);
    assert_eq!(refused.status, 408);
    assert_eq!(refused.code().await, Some(-32600));
}

#[tokio::test(start_paused = true)]
async fn a_method_that_is_not_there_is_not_found() {
    let site = Site::open(plain_server());
    for method in ["initialize", "ping", "tasks/get", "prompts/list", "no/such"] {
        let refused = site.send(Request::modern(method, json!({}))).await;
        assert_eq!(refused.status, 404, "{method}");
        let refused = refused.json().await;
        assert_eq!(refused["error"]["code"], -32601, "{method}");
        assert_eq!(refused["id"], 1, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_notification_is_accepted_and_a_response_nobody_waits_for_is_not() {
    let site = Site::open(server().0);
    let mut accepted = site
        .send(Request::post(
            &json!({"jsonrpc": "2.0", "method": "notifications/whatever"}),
        ))
        .await;
    assert_eq!(accepted.status, 202);
    assert_eq!(accepted.text().await, "");
    let response = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
    let refused = site
        .send(Request::post(&response).header("MCP-Protocol-Version", "2026-07-28"))
        .await;
    assert_eq!(refused.status, 400);
}
