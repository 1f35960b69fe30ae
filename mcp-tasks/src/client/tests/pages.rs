//! Pages that a server of 2025-11-25 wants visited in place of an answer (error -32042).

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

use super::script::{Script, code, text, work};
use crate::client::{Answer, Client, ClientBuilder, ClientError, UrlQuestion, Wire};

pub(super) const LIMIT: Duration = Duration::from_secs(300);

/// What the user was shown, in order.
pub(super) type Shown = Arc<Mutex<Vec<UrlQuestion>>>;

/// A client whose user answers every page so.
pub(super) fn user(answer: Answer<()>) -> (ClientBuilder, Shown) {
    let shown = Shown::default();
    let showing = Arc::clone(&shown);
    let client = Client::builder().on_url(move |question| {
        showing.lock().expect("no panic").push(question);
        std::future::ready(answer)
    });
    (client, shown)
}

pub(super) fn ids(shown: &Shown) -> Vec<String> {
    let shown = shown.lock().expect("no panic");
    let ids = shown.iter().map(|question| question.elicitation_id.clone());
    ids.map(Option::unwrap_or_default).collect()
}

pub(super) async fn connect(client: ClientBuilder) -> (Client, Script) {
    Script::legacy(client, Wire::V2025_11_25, json!({})).await
}

pub(super) fn page(id: &str) -> Value {
    json!({
        "mode": "url", "elicitationId": id, "url": format!("https://x.test/{id}"), "message": "Sign in.",
    })
}

impl Script {
    async fn require(&mut self, request: &Value, pages: &[&str]) {
        let pages: Vec<_> = pages.iter().map(|id| page(id)).collect();
        let error = json!({
            "code": -32042, "message": "sign in first", "data": { "elicitations": pages },
        });
        self.refuse_with(request, error).await;
    }

    pub(super) async fn complete(&mut self, id: &str) {
        self.notify(
            "notifications/elicitation/complete",
            json!({ "elicitationId": id }),
        )
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_is_made_again_once_its_pages_are_accepted_and_done() {
    let (client, shown) = user(Answer::Accepted(()));
    let (client, mut script) = connect(client).await;
    let began = Instant::now();
    let serve = async {
        let first = script.expect("tools/call").await;
        script.require(&first, &["a", "b"]).await;
        sleep(Duration::from_secs(1)).await;
        script.complete("b").await;
        script.complete("of somebody else").await;
        sleep(Duration::from_secs(1)).await;
        script.complete("a").await;
        let again = script.expect("tools/call").await;
        assert_ne!(again["id"], first["id"]);
        assert_eq!(again["params"], first["params"]);
        script.reply(&again, text("done")).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", json!({ "n": 1 })), serve);
    assert_eq!(result.expect("a result").text(), "done");
    assert_eq!(began.elapsed(), Duration::from_secs(2));
    assert_eq!(ids(&shown), ["a", "b"]);
    let shown = shown.lock().expect("no panic");
    assert_eq!(shown[0].url, "https://x.test/a");
    assert_eq!(shown[0].message, "Sign in.");
    assert_eq!(shown[0].asker.server, "scripted");
    assert_eq!(shown[0].asker.tool.as_deref(), Some("work"));
}

#[tokio::test(start_paused = true)]
async fn a_completion_that_overtakes_the_error_or_the_answer_counts() {
    for before_the_error in [true, false] {
        let client = Client::builder().on_url(async |_| {
            sleep(Duration::from_secs(9)).await;
            Answer::Accepted(())
        });
        let (client, mut script) = connect(client).await;
        let began = Instant::now();
        let serve = async {
            let first = script.expect("tools/call").await;
            if before_the_error {
                script.complete("a").await;
            }
            script.require(&first, &["a"]).await;
            if !before_the_error {
                script.complete("a").await;
            }
            let again = script.expect("tools/call").await;
            script.reply(&again, text("done")).await;
        };
        let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
        assert_eq!(result.expect("a result").text(), "done");
        assert_eq!(began.elapsed(), Duration::from_secs(9));
    }
}

#[tokio::test(start_paused = true)]
async fn without_word_the_call_is_made_again_after_the_limit_and_the_user_not_asked_again() {
    for (limit, set) in [(LIMIT, None), (Duration::ZERO, Some(Duration::ZERO))] {
        let (client, shown) = user(Answer::Accepted(()));
        let client = match set {
            Some(limit) => client.completion_timeout(limit),
            None => client,
        };
        let (client, mut script) = connect(client).await;
        let began = Instant::now();
        let serve = async {
            for _ in 0..2 {
                let call = script.expect("tools/call").await;
                script.require(&call, &["a"]).await;
            }
            let call = script.expect("tools/call").await;
            script.reply(&call, text("done")).await;
        };
        let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
        assert_eq!(result.expect("a result").text(), "done");
        assert_eq!(began.elapsed(), 2 * limit);
        assert_eq!(ids(&shown), ["a"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_that_is_done_and_required_again_is_shown_again() {
    let (client, shown) = user(Answer::Accepted(()));
    let (client, mut script) = connect(client).await;
    let serve = async {
        for _ in 0..2 {
            let call = script.expect("tools/call").await;
            script.require(&call, &["a"]).await;
            script.complete("a").await;
        }
        let call = script.expect("tools/call").await;
        script.reply(&call, text("done")).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "done");
    assert_eq!(ids(&shown), ["a", "a"]);
}

#[tokio::test(start_paused = true)]
async fn pages_without_end_end_the_call_with_the_servers_error() {
    let (client, shown) = user(Answer::Accepted(()));
    let (client, mut script) = connect(client).await;
    let serve = async {
        for n in 0..=10 {
            let call = script.expect("tools/call").await;
            script.require(&call, &[&n.to_string()]).await;
        }
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(code(result), -32042);
    assert_eq!(ids(&shown).len(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_is_not_accepted_ends_the_call_with_words_that_say_so() {
    for (answer, word) in [
        (Answer::Declined, "declined"),
        (Answer::Dismissed, "dismissed"),
    ] {
        let (client, _) = user(answer);
        let (client, mut script) = connect(client).await;
        let serve = async {
            let call = script.expect("tools/call").await;
            script.require(&call, &["a", "b"]).await;
        };
        let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
        let error = result.expect_err("no result");
        let ClientError::Declined { dismissed, .. } = &error else {
            panic!("{error:?}")
        };
        assert_eq!(*dismissed, word == "dismissed");
        assert_eq!(
            error.to_string(),
            format!(
                "the call of `work` needs a page to be visited first, which the user {word}: Sign in."
            )
        );
    }
}

#[tokio::test(start_paused = true)]
async fn pages_that_cannot_be_read_are_an_error_that_says_why() {
    for data in [
        json!(null),
        json!({}),
        json!({ "elicitations": [] }),
        json!({ "elicitations": [{ "mode": "form" }] }),
        json!({ "elicitations": [{ "mode": "url", "url": "https://x.test" }] }),
    ] {
        let (client, shown) = user(Answer::Accepted(()));
        let (client, mut script) = connect(client).await;
        let serve = async {
            let call = script.expect("tools/call").await;
            let error = json!({ "code": -32042, "message": "sign in first", "data": data });
            script.refuse_with(&call, error).await;
        };
        let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
        let error = result.expect_err("no result");
        assert!(matches!(error, ClientError::Protocol { .. }), "{error:?}");
        assert!(error.to_string().contains("requires pages"), "{error}");
        assert!(ids(&shown).is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_shows_no_pages_gets_the_error_as_it_is() {
    let (client, mut script) = connect(Client::builder()).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script.complete("a").await;
        script.require(&call, &["a"]).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(code(result), -32042);
}

#[tokio::test(start_paused = true)]
async fn on_another_wire_the_error_means_nothing() {
    let (client, shown) = user(Answer::Accepted(()));
    let (client, mut script) = Script::modern(client).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script.require(&call, &["a"]).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(code(result), -32042);
    assert!(ids(&shown).is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_task_that_fails_for_want_of_a_visit_is_made_again() {
    let (client, shown) = user(Answer::Accepted(()));
    let tasks = json!({ "tasks": { "requests": { "tools": { "call": {} } } } });
    let (client, mut script) = Script::legacy(client, Wire::V2025_11_25, tasks).await;
    let state = |id: &str, status: &str| json!({ "taskId": id, "status": status, "ttl": null, "pollInterval": 10 });
    let serve = async {
        let list = script.expect("tools/list").await;
        let tool = json!({ "name": "work", "execution": { "taskSupport": "required" } });
        script.reply(&list, json!({ "tools": [tool] })).await;
        for id in ["t-1", "t-2"] {
            let call = script.expect("tools/call").await;
            assert!(call["params"]["task"].is_object());
            script
                .reply(&call, json!({ "task": state(id, "working") }))
                .await;
            let look = script.expect("tasks/get").await;
            assert_eq!(look["params"]["taskId"], id);
            let end = if id == "t-1" { "failed" } else { "completed" };
            script.reply(&look, state(id, end)).await;
            let fetch = script.expect("tasks/result").await;
            if id == "t-1" {
                script.require(&fetch, &["a"]).await;
                script.complete("a").await;
            } else {
                script.reply(&fetch, text("done")).await;
            }
        }
    };
    let call = async { work(&client).await.result().await };
    let (result, ()) = tokio::join!(call, serve);
    assert_eq!(result.expect("a result").text(), "done");
    assert_eq!(ids(&shown), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn any_request_may_require_a_page() {
    let (client, _) = user(Answer::Accepted(()));
    let (client, mut script) = connect(client).await;
    let serve = async {
        let first = script.expect("resources/read").await;
        script.require(&first, &["a"]).await;
        script.complete("a").await;
        let again = script.expect("resources/read").await;
        script.reply(&again, json!({ "contents": [] })).await;
    };
    let read = client.request("resources/read", json!({ "uri": "file:///a" }));
    let (result, ()) = tokio::join!(read, serve);
    assert_eq!(result.expect("a result")["contents"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_a_page_can_be_cancelled_and_dropped() {
    for drops in [true, false] {
        let client = Client::builder().on_url(|_| std::future::pending());
        let (client, mut script) = connect(client).await;
        let call = work(&client).await;
        let request = script.expect("tools/call").await;
        script.require(&request, &["a"]).await;
        sleep(Duration::from_secs(1)).await;
        if drops {
            drop(call);
        } else {
            call.cancel().await.expect("a cancellation");
            let result = call.result().await;
            assert!(
                matches!(result, Err(ClientError::Cancelled { .. })),
                "{result:?}"
            );
        }
        script.complete("a").await;
        // Nothing is made again, and nothing told of a request that was answered.
        let next = client.request("ping", Value::Null);
        let serve = async {
            let ping = script.expect("ping").await;
            script.reply(&ping, json!({})).await;
        };
        let (pong, ()) = tokio::join!(next, serve);
        pong.expect("a pong");
    }
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_connection_ends_the_wait_for_a_page() {
    let (client, _) = user(Answer::Accepted(()));
    let (client, mut script) = connect(client).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script.require(&call, &["a"]).await;
        sleep(Duration::from_secs(1)).await;
        drop(script);
    };
    let call = timeout(
        Duration::from_secs(2),
        client.call_tool("work", Value::Null),
    );
    let (result, ()) = tokio::join!(call, serve);
    let result = result.expect("an end");
    assert!(
        matches!(result, Err(ClientError::Closed { .. })),
        "{result:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_handler_of_pages_that_panics_ends_the_call() {
    let client = Client::builder().on_url(|_| async { panic!("the browser is gone") });
    let (client, mut script) = connect(client).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script.require(&call, &["a"]).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert!(
        matches!(result, Err(ClientError::Question { .. })),
        "{result:?}"
    );
}
