//! What a script has to say to a question.

use super::*;

/// Comes back with one question, wherever that is not answered.
fn inline_question(request: &Value) -> Vec<Value> {
    let params = &request["params"];
    if params["inputResponses"]["k"].is_null() {
        let state = json!({
            "resultType": "input_required", "requestState": "s", "inputRequests": question("k"),
        });
        return vec![ok(request, state)];
    }
    assert_eq!(params["requestState"], "s");
    let progress = |token: &Value| {
        json!({
            "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": token },
        })
    };
    let own = &params["_meta"]["progressToken"];
    vec![
        progress(&json!("another's")),
        progress(own),
        ok(request, text("done")),
    ]
}

/// A client that is asked so.
async fn asked_inline() -> Client {
    modern()
        .over(peer(|request| inline_question(&request)))
        .await
}

#[tokio::test]
async fn an_inline_question_is_answered_by_a_retry_with_its_state() {
    let mut client = asked_inline().await;
    let sure = Reply::Accept(Value::Null);
    let outcome = client.call("t", json!({})).reply_to("Sure?", sure).await;
    assert_eq!(outcome.text(), "done");
    assert_eq!(outcome.progress.len(), 1, "only its own");
    assert_eq!(client.recv().await["params"]["progressToken"], "another's");
    let tokens: Vec<&Value> = client
        .transcript()
        .iter()
        .filter(|(_, message)| message["method"] == "tools/call")
        .map(|(_, message)| &message["params"]["_meta"]["progressToken"])
        .collect();
    assert_ne!(tokens[0], tokens[1]);
}

#[tokio::test]
async fn a_call_nobody_will_come_back_to_ends_unanswered() {
    let mut client = asked_inline().await;
    let outcome = client.call("t", json!({})).reply(Reply::Never).await;
    assert_eq!(outcome.end, End::Unanswered);
}

#[tokio::test]
#[should_panic(expected = "the script has no answer")]
async fn a_question_without_an_answer_in_the_script_fails_the_test() {
    let mut client = asked_inline().await;
    client.call("t", json!({})).await;
}

#[tokio::test]
#[should_panic(expected = "replies.rs")]
async fn a_failure_names_the_place_of_the_call() {
    let mut client = asked_inline().await;
    client.call("t", json!({})).await;
}

#[tokio::test]
#[should_panic(expected = "left over: [(Some(\"Sure?\"), Dismiss)]")]
async fn replies_serve_in_the_order_they_are_given() {
    let mut client = asked_inline().await;
    let call = client.call("t", json!({})).decline();
    call.reply_to("Sure?", Reply::Dismiss).await;
}

#[tokio::test]
#[should_panic(expected = "extension: it ended with replies left over: [(None, Dismiss)]")]
async fn a_reply_left_over_fails_the_test() {
    let mut client = asked_inline().await;
    let call = client.call("t", json!({})).decline().dismiss();
    call.await;
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_has_no_use_for_its_replies() {
    let answer = |request: Value| vec![ok(&request, text("done"))];
    let mut client = modern().capabilities(json!({})).over(peer(answer)).await;
    let outcome = client.call("t", json!({})).decline().await;
    assert_eq!(outcome.text(), "done");
}

#[tokio::test]
#[should_panic(expected = "the answer fills in `yess`, which the form lacks; it has `yes`")]
async fn an_answer_with_a_field_that_the_form_lacks_fails_the_test() {
    let asks = |request: Value| {
        let form = json!({ "type": "object", "properties": { "yes": { "type": "boolean" } } });
        let params = json!({ "message": "Sure?", "requestedSchema": form });
        let question = json!({ "k": { "method": "elicitation/create", "params": params } });
        let asks = json!({
            "resultType": "input_required", "requestState": "s", "inputRequests": question,
        });
        vec![ok(&request, asks)]
    };
    let mut client = modern().over(peer(asks)).await;
    let call = client.call("t", json!({}));
    call.accept(json!({ "yess": true })).await;
}

#[tokio::test]
#[should_panic(
    expected = "has the same answer for it (it asked this before: the answer it got does not fit"
)]
async fn an_answer_that_is_refused_is_not_given_again_without_end() {
    let asks = |request: Value| {
        let asks = json!({ "resultType": "input_required", "inputRequests": question("k"), "requestState": "s" });
        vec![ok(&request, asks)]
    };
    let mut client = modern().over(peer(asks)).await;
    let call = client.call("t", json!({}));
    call.reply_with(|_| Reply::Accept(Value::Null)).await;
}

#[tokio::test]
async fn a_question_that_is_never_answered_stays_open_through_the_rounds_of_others() {
    let both_until_one_is_answered = |request: Value| {
        let answered = !request["params"]["inputResponses"]["where"].is_null();
        let mut questions = question("who");
        if !answered {
            questions["where"] = question("where")["where"].clone();
        }
        let asks = json!({ "resultType": "input_required", "inputRequests": questions, "requestState": "s" });
        vec![ok(&request, asks)]
    };
    let mut client = modern().over(peer(both_until_one_is_answered)).await;
    let call = client.call("t", json!({})).reply_to("who", Reply::Never);
    let outcome = call.reply_to("where", Reply::Accept(Value::Null)).await;
    assert_eq!(outcome.end, End::Unanswered);
    assert_eq!(outcome.questions.len(), 2);
}
