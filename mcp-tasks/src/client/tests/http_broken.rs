//! Servers over HTTP that break down, or never worked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use super::script::{created, discovery, initialized, task, text, work};
use super::site::{Said, Sent, Site};
use crate::client::{Client, ClientError};

const HOUR: Duration = Duration::from_secs(3600);

fn modern(rest: impl Fn(&Sent) -> Said + Send + Sync + 'static) -> Site {
    Site::new(move |sent| match sent.rpc() {
        "server/discover" => Said::result(sent, discovery()),
        "tools/list" => Said::result(sent, json!({ "resultType": "complete", "tools": [] })),
        _ => rest(sent),
    })
}

async fn connected(site: &Site) -> Client {
    Client::connect(site.endpoint())
        .await
        .expect("a connection")
}

#[tokio::test(start_paused = true)]
async fn every_spelling_of_an_event_stream_is_read() {
    for (before, end) in [
        ("\u{feff}", "\n"),
        ("", "\r"),
        ("", "\r\n"),
        (":\r\r", "\r"),
    ] {
        let site = modern(move |sent| {
            let answer = json!({ "jsonrpc": "2.0", "id": sent.body["id"], "result": text("done") });
            Said::events(format!("{before}data:{answer}{end}{end}"))
        });
        let client = connected(&site).await;
        let result = client.call_tool("work", Value::Null).await;
        assert_eq!(
            result.expect("a result").text(),
            "done",
            "{before:?} {end:?}"
        );
        assert_eq!(site.sent_as("tools/call").len(), 1, "{before:?} {end:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_beyond_the_bound_is_an_error_that_says_so() {
    for events in [false, true] {
        let site = modern(move |sent| {
            let answer = json!({ "jsonrpc": "2.0", "id": sent.body["id"], "result": text(&"x".repeat(2000)) });
            if events {
                Said::events(format!("data: {answer}\n\n"))
            } else {
                Said::json(200, &answer)
            }
        });
        let client = Client::builder().message_bytes(1000);
        let client = client.connect(site.endpoint()).await.expect("a connection");
        let error = client.call_tool("work", Value::Null).await;
        let error = error.expect_err("too much").to_string();
        assert!(error.contains("1000 bytes"), "events: {events}: {error}");
        assert_eq!(site.sent_as("tools/call").len(), 1, "events: {events}");
    }
}

#[tokio::test(start_paused = true)]
async fn answers_of_other_kinds_are_named_by_their_status() {
    for (status, kind) in [
        (200, "text/html"),
        (202, ""),
        (204, ""),
        (307, ""),
        (403, "application/json"),
        (429, "text/plain"),
        (503, "text/plain"),
    ] {
        let site = modern(move |_| Said::status(status).with("content-type", kind));
        let client = connected(&site).await;
        let result = timeout(HOUR, client.call_tool("work", Value::Null)).await;
        let error = result.expect("an end").expect_err("no result");
        assert!(
            matches!(error, ClientError::Http { status: told, .. } if told == status),
            "{status}: {error:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_look_that_is_refused_for_a_while_is_made_again_when_the_server_says() {
    let looks = AtomicUsize::new(0);
    let site = modern(move |sent| match sent.rpc() {
        "tools/call" => Said::result(sent, created()),
        "tasks/get" if looks.fetch_add(1, Ordering::SeqCst) == 0 => {
            Said::status(503).with("retry-after", "20")
        }
        "tasks/get" => Said::result(sent, task("completed", json!({ "result": text("done") }))),
        _ => Said::status(404),
    });
    let client = connected(&site).await;
    let began = Instant::now();
    let result = client.call_tool("work", Value::Null).await;
    assert_eq!(result.expect("a result").text(), "done");
    assert!(
        began.elapsed() >= Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn a_task_is_cancelled_though_the_client_goes_with_the_call() {
    let site = modern(|sent| match sent.rpc() {
        "tools/call" => Said::result(sent, created()),
        "tasks/get" => Said::result(sent, task("working", json!({}))),
        _ => Said::status(404),
    });
    for close in [false, true] {
        let client = connected(&site).await;
        let call = work(&client).await;
        call.task_id().await.expect("a task");
        let before = site.sent_as("tasks/cancel").len();
        if close {
            client.close().await;
        } else {
            drop(call);
            drop(client);
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(
            site.sent_as("tasks/cancel").len(),
            before + 1,
            "close: {close}"
        );
    }
}

fn session(rest: impl Fn(&Sent) -> Said + Send + Sync + 'static) -> Site {
    Site::new(move |sent| match sent.rpc() {
        "server/discover" => Said::status(400),
        "initialize" => Said::result(sent, initialized(&json!("2025-11-25"), json!({})))
            .with("mcp-session-id", "s"),
        "notifications/initialized" => Said::status(202),
        _ => rest(sent),
    })
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_wants_to_be_taken_up_at_once_is_not_hammered() {
    let site = session(|sent| match sent.method {
        Method::POST => Said::events("id: 1\nretry: 0\ndata: \n\n"),
        _ => Said::events("id: 1\nretry: 0\n: nothing yet\n\n"),
    });
    let client = connected(&site).await;
    let call = work(&client).await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    let gets = site
        .sent()
        .iter()
        .filter(|sent| sent.method == Method::GET)
        .count();
    assert!((2..=250).contains(&gets), "{gets}");
    drop(call);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_ends_for_good_loses_its_call() {
    let site = session(|sent| match sent.method {
        Method::POST => Said::events("id: 1\ndata: \n\n"),
        _ => Said::status(503),
    });
    let client = connected(&site).await;
    let result = timeout(HOUR, client.call_tool("work", Value::Null)).await;
    let result = result.expect("an end");
    assert!(
        matches!(result, Err(ClientError::Lost { .. })),
        "{result:?}"
    );
}
