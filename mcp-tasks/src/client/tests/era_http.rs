//! Finding out what an HTTP server speaks: it may answer what it does not know in many ways.

use std::sync::atomic::{AtomicUsize, Ordering};

use http::Method;
use serde_json::{Value, json};

use super::script::{code, discovery, initialized, text};
use super::site::{Said, Sent, Site};
use crate::client::{Client, ClientError, Wire};

/// A server of 2025-11-25 that answers the greeting of a later client by `unknown`.
fn session(unknown: impl Fn(&Sent) -> Said + Send + Sync + 'static) -> Site {
    Site::new(move |sent| match (&sent.method, sent.rpc()) {
        (_, "server/discover") => unknown(sent),
        (_, "initialize") => {
            assert_eq!(sent.header("mcp-protocol-version"), None);
            Said::result(sent, initialized(&json!("2025-11-25"), json!({})))
                .with("mcp-session-id", "session-1")
        }
        (_, "notifications/initialized") => Said::status(202),
        (&Method::GET | &Method::DELETE, _) => Said::status(405),
        _ => Said::result(sent, text("done")),
    })
}

#[tokio::test(start_paused = true)]
async fn whatever_a_server_of_before_says_to_discovery_it_is_greeted_as_one() {
    fn error(code: i64) -> Value {
        json!({ "code": code, "message": "no" })
    }
    fn without_id(status: u16, code: i64) -> Said {
        let refusal = json!({ "jsonrpc": "2.0", "id": null, "error": error(code) });
        Said::json(status, &refusal)
    }
    type Unknown = Box<dyn Fn(&Sent) -> Said + Send + Sync>;
    let answers: [(&str, Unknown); 14] = [
        ("400", Box::new(|_| Said::status(400))),
        ("400, no session", Box::new(|_| without_id(400, -32000))),
        (
            "400, unsupported version, as before 2026",
            Box::new(|_| without_id(400, -32022)),
        ),
        (
            "400, text",
            Box::new(|_| Said::status(400).with("content-type", "text/plain")),
        ),
        ("404", Box::new(|_| Said::status(404))),
        (
            "404, unknown method",
            Box::new(|sent| Said::error(404, sent, error(-32601))),
        ),
        ("405", Box::new(|_| Said::status(405))),
        ("406", Box::new(|_| Said::status(406))),
        ("415", Box::new(|_| Said::status(415))),
        ("500", Box::new(|_| Said::status(500))),
        ("501", Box::new(|_| Said::status(501))),
        (
            "200, unknown method",
            Box::new(|sent| Said::error(200, sent, error(-32601))),
        ),
        (
            "200, a page",
            Box::new(|_| Said::status(200).with("content-type", "text/html")),
        ),
        ("202", Box::new(|_| Said::status(202))),
    ];
    for (said, unknown) in answers {
        let site = session(unknown);
        let client = Client::connect(site.endpoint()).await;
        let client = client.unwrap_or_else(|error| panic!("{said}: {error}"));
        assert_eq!(client.wire(), Wire::V2025_11_25, "{said}");
        let result = client.call_tool("work", Value::Null).await;
        assert_eq!(result.expect("a result").text(), "done", "{said}");
        // It is found once: what follows belongs to the session.
        assert_eq!(site.sent_as("server/discover").len(), 1, "{said}");
        let call = &site.sent_as("tools/call")[0];
        assert_eq!(call.header("mcp-session-id"), Some("session-1"), "{said}");
        assert_eq!(call.header("mcp-method"), None, "{said}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_discovery_may_come_as_an_event() {
    let site = Site::new(|sent| {
        let result = match sent.rpc() {
            "server/discover" => discovery(),
            _ => json!({ "prompts": [] }),
        };
        let answer = json!({ "jsonrpc": "2.0", "id": sent.body["id"], "result": result });
        Said::events(format!("data: {answer}\n\n"))
    });
    let client = Client::connect(site.endpoint()).await.expect("a client");
    assert_eq!(client.wire(), Wire::V2026_07_28);
    let listed = client.request("prompts/list", Value::Null).await;
    listed.expect("a result");
    assert!(site.sent_as("initialize").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_ends_before_the_discovery_is_no_answer() {
    let site = session(|_| Said::events(": thinking\n\n"));
    let client = Client::connect(site.endpoint()).await.expect("a client");
    assert_eq!(client.wire(), Wire::V2025_11_25);
}

#[tokio::test(start_paused = true)]
async fn what_only_a_modern_server_says_is_no_reason_to_speak_as_before() {
    for refusal in [-32020, -32021] {
        let site = session(move |sent| {
            Said::error(400, sent, json!({ "code": refusal, "message": "no" }))
        });
        assert_eq!(code(Client::connect(site.endpoint()).await), refusal);
        assert!(site.sent_as("initialize").is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_version_that_is_refused_is_changed_to_one_that_is_listed() {
    for (supported, wire) in [
        (json!(["2026-07-28"]), Wire::V2026_07_28),
        (json!(["2025-11-25", "2025-06-18"]), Wire::V2025_11_25),
    ] {
        let asked = AtomicUsize::new(0);
        let site = session(move |sent| {
            if asked.fetch_add(1, Ordering::SeqCst) == 0 {
                let data = json!({ "supported": supported, "requested": "2026-07-28" });
                let error = json!({ "code": -32022, "message": "no", "data": data });
                return Said::error(400, sent, error);
            }
            Said::result(sent, discovery())
        });
        let client = Client::connect(site.endpoint()).await.expect("a client");
        assert_eq!(client.wire(), wire);
    }
}

#[tokio::test(start_paused = true)]
async fn who_may_not_come_in_or_finds_nobody_is_greeted_once() {
    for status in [401, 403] {
        let site = session(move |_| Said::status(status));
        let error = Client::connect(site.endpoint()).await.expect_err("refused");
        assert!(
            matches!(error, ClientError::Http { status: told, .. } if told == status),
            "{error:?}"
        );
        assert_eq!(site.sent().len(), 1, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_era_outlives_the_session() {
    let sessions = AtomicUsize::new(0);
    let site = Site::new(move |sent| match (&sent.method, sent.rpc()) {
        (_, "server/discover") => Said::status(400),
        (_, "initialize") => {
            let number = sessions.fetch_add(1, Ordering::SeqCst) + 1;
            Said::result(sent, initialized(&json!("2025-11-25"), json!({})))
                .with("mcp-session-id", &format!("session-{number}"))
        }
        (_, "notifications/initialized") => Said::status(202),
        (&Method::GET, _) => Said::status(405),
        _ if sent.header("mcp-session-id") == Some("session-1") => Said::status(404),
        _ => Said::result(sent, text("done")),
    });
    let client = Client::connect(site.endpoint()).await.expect("a client");
    let result = client.call_tool("work", Value::Null).await;
    assert_eq!(result.expect("a result").text(), "done");
    assert_eq!(site.sent_as("server/discover").len(), 1);
    assert_eq!(site.sent_as("initialize").len(), 2);
}
