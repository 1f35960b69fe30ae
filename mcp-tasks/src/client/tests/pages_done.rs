//! Word of a page that is done: for whoever shows it, and over HTTP.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::pages::{connect, page, user};
use crate::client::Answer;

#[tokio::test(start_paused = true)]
async fn whoever_shows_a_page_hears_that_it_is_done() {
    let (client, shown) = user(Answer::Accepted(()));
    let (_client, mut script) = connect(client).await;
    for (id, told) in [("a", true), ("b", true), ("c", false)] {
        if id == "a" {
            script.complete(id).await;
        }
        script.ask("q", "elicitation/create", page(id)).await;
        let answer = script.next().await;
        assert_eq!(answer["result"], json!({ "action": "accept" }));
        if id == "b" {
            script.complete(id).await;
        }
        let question = shown.lock().expect("no panic").pop().expect("a page");
        assert_eq!(question.elicitation_id.as_deref(), Some(id));
        let heard = timeout(Duration::from_secs(60), question.completed()).await;
        assert_eq!(heard.is_ok_and(|heard| heard), told, "{id}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_without_an_id_is_never_told_to_be_done() {
    let (client, shown) = user(Answer::Accepted(()));
    let (_client, mut script) = connect(client).await;
    let mut page = page("a");
    page["elicitationId"] = Value::Null;
    script.ask("q", "elicitation/create", page).await;
    script.next().await;
    let question = shown.lock().expect("no panic").pop().expect("a page");
    assert_eq!(question.elicitation_id, None);
    assert!(!question.completed().await);
}

/// Over HTTP, word of a page comes by the session's own stream, before or after the refusal.
#[cfg(feature = "client-http")]
#[tokio::test(start_paused = true)]
async fn a_completion_comes_by_the_sessions_own_stream() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::time::Instant;

    use super::pages::{LIMIT, ids};
    use super::script::{initialized, text};
    use super::site::{Said, Site};
    use crate::client::Wire;

    let calls = AtomicUsize::new(0);
    let site = Site::new(move |sent| match (sent.method.as_str(), sent.rpc()) {
        ("GET", _) => {
            let method = "notifications/elicitation/complete";
            let told =
                json!({ "jsonrpc": "2.0", "method": method, "params": { "elicitationId": "a" } });
            Said::events(format!("data: {told}\n\n"))
        }
        (_, "initialize") => Said::result(sent, initialized(&json!("2025-11-25"), json!({})))
            .with("mcp-session-id", "session-1"),
        (_, "tools/call") if calls.fetch_add(1, Ordering::SeqCst) == 0 => {
            let data = json!({ "elicitations": [page("a")] });
            let error = json!({ "code": -32042, "message": "sign in first", "data": data });
            Said::error(200, sent, error)
        }
        (_, "tools/call") => Said::result(sent, text("done")),
        _ => Said::status(202),
    });
    let (client, shown) = user(Answer::Accepted(()));
    let began = Instant::now();
    let client = client.wire(Wire::V2025_11_25).connect(site.endpoint());
    let client = client.await.expect("a connection");
    let result = client.call_tool("work", Value::Null).await;
    assert_eq!(result.expect("a result").text(), "done");
    assert!(began.elapsed() < LIMIT);
    assert_eq!(ids(&shown), ["a"]);
    let calls = site.sent_as("tools/call");
    assert_ne!(calls[0].body["id"], calls[1].body["id"]);
}
