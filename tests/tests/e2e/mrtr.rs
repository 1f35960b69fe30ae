//! Questions of an inline call in 2026-07-28: an `input_required` result, and a retry with the answers.

use std::time::Duration;

use mcp_tasks::testing::{Client, ClientKind, End, ErrorReply, Reply};
use serde_json::{Value, json};
use tests::session::{Session, accepted, agree, text};
use tests::tools::server;

use ClientKind::V2026_07_28;

/// A call of `tool`, with answers and a handle where they are not `null`.
async fn call(
    client: &mut Session,
    tool: &str,
    answers: Value,
    state: Value,
) -> Result<Value, ErrorReply> {
    let mut params = json!({ "name": tool, "arguments": {} });
    if !answers.is_null() {
        params["inputResponses"] = answers;
    }
    if !state.is_null() {
        params["requestState"] = state;
    }
    client.request("tools/call", params).await
}

async fn first(client: &mut Session, tool: &str) -> Value {
    let asked = call(client, tool, Value::Null, Value::Null).await.unwrap();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    assert!(asked["requestState"].is_string(), "{asked}");
    assert!(asked.get("content").is_none(), "{asked}");
    asked
}

fn name(name: &str) -> Value {
    json!({ "name": accepted(json!({ "name": name })) })
}

#[tokio::test(start_paused = true)]
async fn a_question_is_a_result_and_its_answer_a_retry() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let asked = first(&mut client, "ask").await;
    let request = &asked["inputRequests"]["name"];
    assert_eq!(request["method"], "elicitation/create");
    assert_eq!(request["params"]["message"], "What is your name?");
    assert!(
        request.get("id").is_none() && request.get("jsonrpc").is_none(),
        "{request}"
    );
    let state = asked["requestState"].clone();
    let result = call(&mut client, "ask", name("Ada"), state).await.unwrap();
    assert_eq!(result["resultType"], "complete");
    assert_eq!(text(&result), "Hello, Ada!");
    assert_eq!(
        (probe.started(), probe.passed(), probe.dropped()),
        (1, 1, 1),
        "run once"
    );
}

#[tokio::test(start_paused = true)]
async fn every_answer_reaches_the_body() {
    let (server, _) = server();
    for (reply, expected) in [
        (Reply::Accept(json!({ "name": "Ada" })), "Hello, Ada!"),
        (Reply::Decline, "declined"),
        (Reply::Dismiss, "dismissed"),
    ] {
        let mut client = Session::open(&server, V2026_07_28).await;
        assert_eq!(
            client.call("ask", json!({})).reply(reply).await.text(),
            expected
        );
    }
    let mut client = Session::open(&server, V2026_07_28).await;
    assert_eq!(
        client
            .call("confirm", json!({}))
            .reply_with(agree)
            .await
            .text(),
        "deployed"
    );
}

#[tokio::test(start_paused = true)]
async fn questions_in_turn_are_retried_in_turn_and_the_body_runs_once() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let call = client.call("ask_in_turn", json!({}));
    let outcome = call
        .accept(json!({ "name": "Ada" }))
        .accept(json!({ "name": "Bob" }))
        .await;
    assert_eq!(outcome.text(), "Ada and Bob");
    assert_eq!(outcome.questions.len(), 2);
    assert_eq!((probe.started(), probe.passed()), (1, 2));
}

#[tokio::test(start_paused = true)]
async fn questions_asked_together_leave_together() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let asked = first(&mut client, "ask_two").await;
    assert_eq!(
        asked["inputRequests"].as_object().map(serde_json::Map::len),
        Some(2)
    );
    let answers = json!({
        "name": accepted(json!({ "name": "Ada" })), "count": accepted(json!({ "count": 2 })),
    });
    let state = asked["requestState"].clone();
    let result = call(&mut client, "ask_two", answers, state).await.unwrap();
    assert_eq!(text(&result), "2 for Ada");
}

#[tokio::test(start_paused = true)]
async fn a_partial_answer_gets_the_rest_under_a_new_handle() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let asked = first(&mut client, "ask_two").await;
    let state = asked["requestState"].clone();
    let rest = call(&mut client, "ask_two", name("Ada"), state.clone())
        .await
        .unwrap();
    assert_eq!(rest["resultType"], "input_required");
    assert!(rest["inputRequests"].get("name").is_none(), "{rest}");
    assert_eq!(
        rest["inputRequests"]["count"],
        asked["inputRequests"]["count"]
    );
    assert_ne!(rest["requestState"], state);
    let used = call(&mut client, "ask_two", name("Eve"), state)
        .await
        .unwrap_err();
    assert_eq!(used.code, -32602);
    let count = json!({ "count": accepted(json!({ "count": 2 })) });
    let state = rest["requestState"].clone();
    let result = call(&mut client, "ask_two", count, state).await.unwrap();
    assert_eq!(text(&result), "2 for Ada");
    assert_eq!(probe.started(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_handle_nobody_gave_out_is_refused() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let asked = first(&mut client, "ask").await;
    let state = asked["requestState"].as_str().expect("a handle");
    for forged in [
        json!("bogus"),
        json!(""),
        json!(format!("{state}0")),
        json!(7),
    ] {
        let error = call(&mut client, "ask", name("Eve"), forged.clone())
            .await
            .unwrap_err();
        assert_eq!(error.code, -32602, "{forged}");
    }
    assert_eq!((probe.started(), probe.passed()), (1, 0));
    let result = call(&mut client, "ask", name("Ada"), json!(state))
        .await
        .unwrap();
    assert_eq!(text(&result), "Hello, Ada!");
}

#[tokio::test(start_paused = true)]
async fn a_handle_serves_once() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let state = first(&mut client, "ask").await["requestState"].clone();
    call(&mut client, "ask", name("Ada"), state.clone())
        .await
        .unwrap();
    let again = call(&mut client, "ask", name("Eve"), state)
        .await
        .unwrap_err();
    assert_eq!(again.code, -32602);
    assert_eq!((probe.started(), probe.passed()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_handle_belongs_to_its_tool_and_arguments() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let state = first(&mut client, "ask").await["requestState"].clone();
    let other_tool = call(&mut client, "confirm", name("Eve"), state.clone())
        .await
        .unwrap_err();
    assert_eq!(other_tool.code, -32602);
    let params = json!({
        "name": "ask", "arguments": { "a": 1 }, "inputResponses": name("Eve"), "requestState": state,
    });
    let other_arguments = client.request("tools/call", params).await;
    let refused = match &other_arguments {
        Ok(result) => result["isError"] == true,
        Err(error) => error.code == -32602,
    };
    assert!(refused, "{other_arguments:?}");
    assert_eq!(probe.passed(), 0);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_does_not_fit_is_asked_again() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let mut asked = first(&mut client, "ask").await;
    for wrong in [
        json!({ "action": "accept", "content": { "name": 1 } }),
        json!({ "action": "accept" }),
    ] {
        let state = asked["requestState"].clone();
        let again = call(&mut client, "ask", json!({ "name": wrong }), state)
            .await
            .unwrap();
        assert_eq!(again["resultType"], "input_required", "{again}");
        assert_eq!(
            again["inputRequests"]["name"]["method"],
            "elicitation/create"
        );
        asked = again;
    }
    assert_eq!(probe.passed(), 0);
    let state = asked["requestState"].clone();
    let result = call(&mut client, "ask", name("Ada"), state).await.unwrap();
    assert_eq!(text(&result), "Hello, Ada!");
    assert_eq!(probe.started(), 1);
}

#[tokio::test(start_paused = true)]
async fn answers_to_what_was_not_asked_are_ignored() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let state = first(&mut client, "ask").await["requestState"].clone();
    let mut answers = name("Ada");
    answers["other"] = json!({ "action": "decline" });
    let result = call(&mut client, "ask", answers, state).await.unwrap();
    assert_eq!(text(&result), "Hello, Ada!");
}

#[tokio::test(start_paused = true)]
async fn answers_without_a_handle_serve_a_new_run() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let result = call(&mut client, "ask", name("Ada"), Value::Null)
        .await
        .unwrap();
    assert_eq!(text(&result), "Hello, Ada!");
    assert_eq!(probe.started(), 1);
    let rest = call(&mut client, "ask_two", name("Ada"), Value::Null)
        .await
        .unwrap();
    assert_eq!(rest["resultType"], "input_required");
    assert!(rest["inputRequests"].get("name").is_none(), "{rest}");
    assert!(rest["inputRequests"].get("count").is_some(), "{rest}");
}

#[tokio::test(start_paused = true)]
async fn a_handle_without_answers_gets_the_questions_again() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let asked = first(&mut client, "ask").await;
    let state = asked["requestState"].clone();
    let again = call(&mut client, "ask", Value::Null, state).await.unwrap();
    assert_eq!(again["inputRequests"], asked["inputRequests"]);
}

#[tokio::test(start_paused = true)]
async fn ill_typed_answers_are_refused() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let state = first(&mut client, "ask").await["requestState"].clone();
    for answers in [json!([]), json!("Ada"), json!(7)] {
        let error = call(&mut client, "ask", answers.clone(), state.clone())
            .await
            .unwrap_err();
        assert_eq!(error.code, -32602, "{answers}");
    }
    assert!(
        call(&mut client, "ask", name("Ada"), state).await.is_ok(),
        "the handle was not used up"
    );
}

#[tokio::test(start_paused = true)]
async fn who_cannot_be_asked_is_told_what_is_missing() {
    let builder = Client::builder(V2026_07_28).capabilities(json!({}));
    let mut client = Session::with(builder, &server().0).await;
    let error = call(&mut client, "ask", Value::Null, Value::Null)
        .await
        .unwrap_err();
    assert_eq!(error.code, -32021);
    let missing = json!({ "requiredCapabilities": { "elicitation": { "form": {} } } });
    assert_eq!(error.data, Some(missing));
    let handled = call(&mut client, "ask_briefly", Value::Null, Value::Null)
        .await
        .unwrap();
    assert_eq!(text(&handled), "Unsupported(Elicitation)");
}

#[tokio::test(start_paused = true)]
async fn a_parked_call_nobody_returns_to_is_given_up() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let outcome = client.call("ask", json!({})).reply(Reply::Never).await;
    assert_eq!(outcome.end, End::Unanswered);
    let state = first(&mut client, "ask").await["requestState"].clone();
    assert_eq!(probe.dropped(), 0);
    tokio::time::sleep(Duration::from_secs(11 * 60)).await;
    assert_eq!(probe.dropped(), 2, "both are gone after ten minutes");
    let late = call(&mut client, "ask", name("Ada"), state)
        .await
        .unwrap_err();
    assert_eq!(late.code, -32602);
}

#[tokio::test(start_paused = true)]
async fn a_disconnect_does_not_lose_a_parked_call() {
    let (server, probe) = server();
    let mut first_client = Session::open(&server, V2026_07_28).await;
    let state = first(&mut first_client, "ask").await["requestState"].clone();
    let mut second = Session::open(&server, V2026_07_28).await;
    let result = call(&mut second, "ask", name("Ada"), state).await.unwrap();
    assert_eq!(text(&result), "Hello, Ada!");
    assert_eq!(probe.started(), 1);
}
