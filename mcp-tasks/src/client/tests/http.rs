//! What is particular to HTTP.

use std::sync::atomic::{AtomicUsize, Ordering};

use http::Method;
use serde_json::{Value, json};

use super::script::{code, discovery, initialized, text};
use super::site::{Said, Sent, Site};
use crate::client::{Client, ClientError, HttpEndpoint, Wire};

/// Answers the handshake of 2026-07-28, and all else by `rest`.
fn modern(rest: impl Fn(&Sent) -> Said + Send + Sync + 'static) -> Site {
    Site::new(move |sent| match sent.rpc() {
        "server/discover" => Said::result(sent, discovery()),
        _ => rest(sent),
    })
}

/// Answers the handshake of a session, and all else by `rest`.
pub(super) fn session(rest: impl Fn(&Sent) -> Said + Send + Sync + 'static) -> Site {
    let sessions = AtomicUsize::new(0);
    Site::new(move |sent| match sent.rpc() {
        "server/discover" => Said::json(
            400,
            &json!({ "jsonrpc": "2.0", "error": { "code": -32000, "message": "no session" } }),
        ),
        "initialize" => {
            let number = sessions.fetch_add(1, Ordering::SeqCst) + 1;
            Said::result(sent, initialized(&json!("2025-11-25"), json!({})))
                .with("mcp-session-id", &format!("session-{number}"))
        }
        "notifications/initialized" => Said::status(202),
        _ => rest(sent),
    })
}

fn tools(tools: &Value) -> Value {
    json!({ "resultType": "complete", "tools": tools })
}

#[tokio::test(start_paused = true)]
async fn headers_say_what_the_body_says() {
    let region = json!({ "type": "string", "x-mcp-header": "Region" });
    let site = modern(move |sent| match sent.rpc() {
        "tools/list" => {
            let schema = json!({ "type": "object", "properties": { "region": region } });
            Said::result(
                sent,
                tools(&json!([{ "name": "grüße", "inputSchema": schema }])),
            )
        }
        _ => Said::result(sent, text("done")),
    });
    let client = Client::connect(site.endpoint())
        .await
        .expect("a connection");
    client
        .call_tool("grüße", json!({ "region": "eu-1" }))
        .await
        .expect("a result");
    for sent in site.sent() {
        let meta = &sent.body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
        assert_eq!(sent.header("mcp-protocol-version"), meta.as_str());
        assert_eq!(sent.header("mcp-method"), Some(sent.rpc()));
        assert_eq!(sent.header("host"), Some("site.test"));
    }
    let call = &site.sent_as("tools/call")[0];
    assert_eq!(call.header("mcp-name"), Some("=?base64?Z3LDvMOfZQ==?="));
    assert_eq!(call.header("mcp-param-region"), Some("eu-1"));
}

#[tokio::test(start_paused = true)]
async fn a_tool_whose_headers_break_the_rules_is_left_out() {
    let site = modern(|sent| {
        let bad = json!({ "type": "object", "properties": { "n": { "type": "number", "x-mcp-header": "N" } } });
        Said::result(
            sent,
            tools(
                &json!([{ "name": "bad", "inputSchema": bad }, { "name": "good", "inputSchema": {} }]),
            ),
        )
    });
    let client = Client::connect(site.endpoint())
        .await
        .expect("a connection");
    let names: Vec<_> = client
        .list_tools()
        .await
        .expect("a list")
        .iter()
        .map(|tool| tool.name().to_owned())
        .collect();
    assert_eq!(names, ["good"]);
}

#[tokio::test(start_paused = true)]
async fn a_definition_that_has_changed_is_listed_again() {
    let listed = AtomicUsize::new(0);
    let site = modern(move |sent| match sent.rpc() {
        "tools/list" => {
            let header = if listed.fetch_add(1, Ordering::SeqCst) == 0 {
                "Old"
            } else {
                "New"
            };
            let schema = json!({ "type": "object", "properties": { "a": { "type": "string", "x-mcp-header": header } } });
            Said::result(
                sent,
                tools(&json!([{ "name": "work", "inputSchema": schema }])),
            )
        }
        _ if sent.header("mcp-param-new").is_some() => Said::result(sent, text("done")),
        _ => Said::error(
            400,
            sent,
            json!({ "code": -32020, "message": "the mcp-param-new header is missing" }),
        ),
    });
    let client = Client::connect(site.endpoint())
        .await
        .expect("a connection");
    let result = client.call_tool("work", json!({ "a": "x" })).await;
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_version_that_is_refused_later_is_changed() {
    let refused = AtomicUsize::new(0);
    let site = modern(move |sent| match sent.rpc() {
        "prompts/list" if refused.fetch_add(1, Ordering::SeqCst) == 0 => {
            let data = json!({ "supported": ["2026-07-28"], "requested": "2026-07-28" });
            Said::error(
                400,
                sent,
                json!({ "code": -32022, "message": "no", "data": data }),
            )
        }
        _ => Said::result(sent, json!({ "prompts": [] })),
    });
    let client = Client::connect(site.endpoint())
        .await
        .expect("a connection");
    client
        .request("prompts/list", Value::Null)
        .await
        .expect("a result");
    let sent = site.sent_as("prompts/list");
    assert_eq!(sent.len(), 2);
    assert_ne!(sent[0].body["id"], sent[1].body["id"]);
}

#[tokio::test(start_paused = true)]
async fn a_modern_call_whose_stream_breaks_is_made_again() {
    let calls = AtomicUsize::new(0);
    let site = modern(move |sent| match sent.rpc() {
        "tools/list" => Said::result(sent, tools(&json!([]))),
        _ if calls.fetch_add(1, Ordering::SeqCst) == 0 => Said::events(": working\n\n"),
        _ => {
            let answer = json!({ "jsonrpc": "2.0", "id": sent.body["id"], "result": text("done") });
            Said::events(format!("data: {answer}\n\n"))
        }
    });
    let client = Client::connect(site.endpoint())
        .await
        .expect("a connection");
    let result = client.call_tool("work", Value::Null).await;
    assert_eq!(result.expect("a result").text(), "done");
    assert_eq!(site.sent_as("tools/call").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_sessions_stream_is_taken_up_where_it_broke() {
    let site = session(|sent| match (&sent.method, sent.header("last-event-id")) {
        (&Method::POST, _) => Said::events("id: 7-0\nretry: 250\ndata: \n\n"),
        (_, Some("7-0")) => {
            let answer = json!({ "jsonrpc": "2.0", "id": 3, "result": text("resumed") });
            Said::events(format!("id: 7-1\ndata: {answer}\n\n"))
        }
        _ => Said::status(405),
    });
    let client = Client::connect(site.endpoint())
        .await
        .expect("a connection");
    let result = client.call_tool("work", Value::Null).await;
    assert_eq!(result.expect("a result").text(), "resumed");
    let calls = site.sent_as("tools/call");
    assert_eq!((calls.len(), &calls[0].body["id"]), (1, &json!(3)));
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_session_that_cannot_be_taken_up_is_not_made_again() {
    let site = session(|sent| match sent.method {
        Method::POST => Said::events(": working\n\n"),
        _ => Said::status(405),
    });
    let client = Client::connect(site.endpoint())
        .await
        .expect("a connection");
    let result = client.call_tool("work", Value::Null).await;
    assert!(
        matches!(result, Err(ClientError::Lost { .. })),
        "{result:?}"
    );
    assert_eq!(site.sent_as("tools/call").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_is_forgotten_is_begun_anew() {
    let site = session(|sent| match (&sent.method, sent.header("mcp-session-id")) {
        (&Method::GET, _) => Said::status(405),
        (_, Some("session-1")) => Said::status(404),
        _ => {
            assert_eq!(sent.header("mcp-protocol-version"), Some("2025-11-25"));
            Said::result(sent, text("done"))
        }
    });
    let client = Client::connect(site.endpoint())
        .await
        .expect("a connection");
    let (one, two) = tokio::join!(
        client.call_tool("work", Value::Null),
        client.call_tool("work", Value::Null)
    );
    assert_eq!(one.expect("a result").text(), "done");
    assert_eq!(two.expect("a result").text(), "done");
    assert_eq!(site.sent_as("initialize").len(), 2);
    client.close().await;
    let last = site.sent().pop().expect("requests");
    assert_eq!(
        (last.method.clone(), last.header("mcp-session-id")),
        (Method::DELETE, Some("session-2"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_may_not_come_in_is_told_so_by_the_status_whatever_the_body_is() {
    let error = json!({ "code": -32600, "message": "a token is missing" });
    let refusal = json!({ "jsonrpc": "2.0", "id": null, "error": error });
    let site = Site::new(move |_| Said::json(401, &refusal));
    let error = Client::connect(site.endpoint())
        .await
        .expect_err("no connection");
    assert!(
        matches!(error, ClientError::Http { status: 401, .. }),
        "{error:?}"
    );
    let said = error.to_string();
    assert!(
        said.contains("bearer") && said.ends_with(": a token is missing"),
        "{said}"
    );
    assert_eq!(site.sent().len(), 1, "nothing is tried on another wire");
}

#[tokio::test(start_paused = true)]
async fn an_address_that_is_no_endpoint_is_named_with_its_status() {
    for (status, hint) in [(200, "path"), (401, "bearer"), (404, "path")] {
        let site = Site::new(move |_| Said::status(status));
        let error = Client::connect(site.endpoint())
            .await
            .expect_err("no connection");
        let said = error.to_string();
        assert!(
            said.contains("http://site.test/mcp") && said.contains(hint),
            "{said}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_redirect_is_told_with_where_it_leads_and_not_followed() {
    for body in ["", "moved"] {
        let site = Site::new(move |_| {
            let moved = Said::status(307).saying(body);
            moved.with("location", "https://elsewhere.test/mcp")
        });
        let error = Client::connect(site.endpoint())
            .await
            .expect_err("no connection");
        let said = error.to_string();
        assert!(
            said.contains("status 307") && said.ends_with(": https://elsewhere.test/mcp"),
            "{said}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_without_an_id_is_about_the_message_it_answers() {
    let site = session(|sent| match sent.method {
        Method::POST => Said::json(
            400,
            &json!({ "jsonrpc": "2.0", "error": { "code": -32600, "message": "no" } }),
        ),
        _ => Said::status(405),
    });
    let client = Client::connect(site.endpoint())
        .await
        .expect("a connection");
    assert_eq!(client.wire(), Wire::V2025_11_25);
    assert_eq!(code(client.request("ping", Value::Null).await), -32600);
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_before_anything_is_sent() {
    for address in ["site.test/mcp", "ftp://site.test/", "not a url"] {
        let error = Client::connect(address).await.expect_err("no connection");
        assert!(
            matches!(error, ClientError::Invalid(_)),
            "{address}: {error:?}"
        );
    }
    let header = HttpEndpoint::new("http://site.test/").bearer("two\nlines");
    let error = Client::connect(header).await.expect_err("no connection");
    assert!(!error.to_string().contains("lines"), "{error}");
}
