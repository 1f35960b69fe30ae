//! Questions of an inline call in a legacy session: requests to the client within the call.

use mcp_tasks::testing::{Client, ClientKind, ErrorReply, Reply};
use serde_json::json;
use tests::session::{RELATED_TASK, Session, accepted, agree, text};
use tests::tools::server;

use ClientKind::{V2025_03_26, V2025_06_18, V2025_11_25};

const CAN_BE_ASKED: [ClientKind; 2] = [V2025_11_25, V2025_06_18];

#[tokio::test(start_paused = true)]
async fn a_question_is_a_request_of_the_server_and_belongs_to_no_task() {
    let (server, _) = server();
    for kind in CAN_BE_ASKED {
        let mut client = Session::open(&server, kind).await;
        let id = client
            .start("tools/call", json!({ "name": "ask", "arguments": {} }))
            .await;
        let question = client.server_request().await;
        assert_eq!(question["method"], "elicitation/create", "{kind}");
        assert_eq!(
            question["params"]["message"], "What is your name?",
            "{kind}"
        );
        let schema = &question["params"]["requestedSchema"];
        assert_eq!(schema["properties"]["name"]["type"], "string", "{kind}");
        assert!(
            question["params"]["_meta"].get(RELATED_TASK).is_none(),
            "{kind}: {question}"
        );
        client
            .respond(&question["id"], accepted(json!({ "name": "Ada" })))
            .await;
        let result = client.response(&id).await.unwrap();
        assert_eq!(text(&result), "Hello, Ada!", "{kind}");
        assert!(
            result["_meta"].get(RELATED_TASK).is_none(),
            "{kind}: {result}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_mode_of_an_elicitation_is_unknown_before_2025_11_25() {
    let mut client = Session::open(&server().0, V2025_06_18).await;
    client
        .start("tools/call", json!({ "name": "ask", "arguments": {} }))
        .await;
    let question = client.server_request().await;
    assert!(question["params"].get("mode").is_none(), "{question}");
}

#[tokio::test(start_paused = true)]
async fn every_answer_reaches_the_body() {
    let (server, _) = server();
    for kind in CAN_BE_ASKED {
        for (reply, expected) in [
            (Reply::Accept(json!({ "name": "Ada" })), "Hello, Ada!"),
            (Reply::Decline, "declined"),
            (Reply::Dismiss, "dismissed"),
        ] {
            let mut client = Session::open(&server, kind).await;
            let outcome = client.call("ask", json!({})).reply(reply).await;
            assert_eq!(outcome.text(), expected, "{kind}");
        }
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("confirm", json!({})).reply_with(agree).await;
        assert_eq!(outcome.text(), "deployed", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_does_not_fit_is_an_error_to_the_body() {
    let (server, _) = server();
    for kind in CAN_BE_ASKED {
        let mut client = Session::open(&server, kind).await;
        let outcome = client
            .call("ask_briefly", json!({}))
            .accept(json!({ "name": 7 }))
            .await;
        assert!(outcome.text().starts_with("Invalid"), "{kind}: {outcome:?}");
        let outcome = client
            .call("ask", json!({}))
            .accept(json!({ "name": 7 }))
            .await;
        assert!(outcome.is_error(), "{kind}: {outcome:?}");
        let refused = Reply::Error(ErrorReply::new(-32603, "the window is closed"));
        let outcome = client.call("ask", json!({})).reply(refused).await;
        assert!(outcome.is_error(), "{kind}: {outcome:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn silence_ends_with_the_questions_time() {
    let (server, _) = server();
    for kind in CAN_BE_ASKED {
        let mut client = Session::open(&server, kind).await;
        let outcome = client
            .call("ask_briefly", json!({}))
            .reply(Reply::Never)
            .await;
        assert_eq!(outcome.text(), "TimedOut", "{kind}");
        client.notification("notifications/cancelled").await;
    }
}

#[tokio::test(start_paused = true)]
async fn who_cannot_be_asked_is_not_asked() {
    let (server, probe) = server();
    for kind in [V2025_11_25, V2025_06_18, V2025_03_26] {
        let builder = Client::builder(kind).capabilities(json!({}));
        let mut client = Session::with(builder, &server).await;
        let outcome = client.call("ask", json!({})).await;
        assert!(outcome.is_error(), "{kind}: {outcome:?}");
        assert!(
            outcome.text().contains("elicitation"),
            "{kind}: {}",
            outcome.text()
        );
        assert_eq!(outcome.questions, [], "{kind}");
        let handled = client.call("ask_briefly", json!({})).await;
        assert_eq!(handled.text(), "Unsupported(Elicitation)", "{kind}");
    }
    assert_eq!(probe.passed(), 0);
}

#[tokio::test(start_paused = true)]
async fn there_is_no_elicitation_in_2025_03_26_whatever_the_client_declares() {
    let builder =
        Client::builder(V2025_03_26).capabilities(json!({ "elicitation": { "form": {} } }));
    let mut client = Session::with(builder, &server().0).await;
    let outcome = client.call("ask", json!({})).await;
    assert!(outcome.is_error(), "{outcome:?}");
    assert_eq!(outcome.questions, []);
}

#[tokio::test(start_paused = true)]
async fn a_client_of_url_mode_alone_is_shown_no_form() {
    let builder =
        Client::builder(V2025_11_25).capabilities(json!({ "elicitation": { "url": {} } }));
    let mut client = Session::with(builder, &server().0).await;
    let outcome = client.call("ask", json!({})).await;
    assert!(
        outcome.is_error() && outcome.questions.is_empty(),
        "{outcome:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn both_questions_of_a_call_are_asked_at_once() {
    let (server, _) = server();
    for kind in CAN_BE_ASKED {
        let mut client = Session::open(&server, kind).await;
        let id = client
            .start("tools/call", json!({ "name": "ask_two", "arguments": {} }))
            .await;
        let first = client.server_request().await;
        let second = client.server_request().await;
        for question in [second, first] {
            let count = question["params"]["message"] == "How many?";
            let content = if count {
                json!({ "count": 2 })
            } else {
                json!({ "name": "Ada" })
            };
            client.respond(&question["id"], accepted(content)).await;
        }
        assert_eq!(
            text(&client.response(&id).await.unwrap()),
            "2 for Ada",
            "{kind}"
        );
    }
}
