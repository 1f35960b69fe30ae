//! Questions in place of a result, and results that are none.

use serde_json::{Value, json};

use super::script::{Script, ada, code, created, name_question, text};
use crate::client::{Client, ClientError};

fn asking(state: Value) -> Value {
    let request = json!({ "method": "elicitation/create", "params": name_question() });
    let mut asking = json!({ "resultType": "input_required", "inputRequests": { "who": request } });
    if !state.is_null() {
        asking["requestState"] = state;
    }
    asking
}

#[tokio::test(start_paused = true)]
async fn a_retry_has_an_id_of_its_own_the_answers_and_the_state_as_it_came() {
    let (client, mut script) = Script::modern(ada()).await;
    let serve = async {
        let first = script.expect("tools/call").await;
        script.reply(&first, asking(json!("s/1 =="))).await;
        let second = script.expect("tools/call").await;
        assert_ne!(first["id"], second["id"]);
        assert_eq!(second["params"]["arguments"], json!({ "n": 1 }));
        assert_eq!(second["params"]["requestState"], "s/1 ==");
        let answer = json!({ "action": "accept", "content": { "name": "Ada" } });
        assert_eq!(second["params"]["inputResponses"], json!({ "who": answer }));
        script.reply(&second, asking(Value::Null)).await;
        // A state that is not sent again is not repeated.
        let third = script.expect("tools/call").await;
        assert_eq!(third["params"].get("requestState"), None);
        script.reply(&third, text("Hi, Ada")).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("greet", json!({ "n": 1 })), serve);
    assert_eq!(result.expect("a result").text(), "Hi, Ada");
}

#[tokio::test(start_paused = true)]
async fn nothing_of_one_calls_rounds_is_in_another_call() {
    let (client, mut script) = Script::modern(ada()).await;
    let first = client
        .begin_call_tool("greet", Value::Null)
        .await
        .expect("a call");
    let call = script.expect("tools/call").await;
    script.reply(&call, asking(json!("s"))).await;
    let retry = script.expect("tools/call").await;
    let other = client
        .begin_call_tool("other", Value::Null)
        .await
        .expect("a call");
    let call = script.expect("tools/call").await;
    assert_eq!(call["params"].get("inputResponses"), None);
    assert_eq!(call["params"].get("requestState"), None);
    // Answered the other way round, each gets its own.
    script.reply(&call, text("other")).await;
    script.reply(&retry, text("first")).await;
    assert_eq!(other.result().await.expect("a result").text(), "other");
    assert_eq!(first.result().await.expect("a result").text(), "first");
}

#[tokio::test(start_paused = true)]
async fn a_question_without_a_handler_ends_the_call() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script.reply(&call, asking(Value::Null)).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("greet", Value::Null), serve);
    let error = result.expect_err("nobody answers");
    assert!(matches!(error, ClientError::Question { .. }), "{error:?}");
    assert!(error.to_string().contains("elicitation/create"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_task_in_place_of_another_result_is_an_error_and_is_not_followed() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let request = script.expect("ping").await;
        script.reply(&request, created()).await;
        // The next thing that is said is the next thing that is asked.
        let request = script.expect("tools/list").await;
        script
            .reply(&request, json!({ "resultType": "haiku", "tools": [] }))
            .await;
    };
    let ask = async {
        let pinged = client.request("ping", Value::Null).await;
        assert!(
            matches!(pinged, Err(ClientError::Protocol { .. })),
            "{pinged:?}"
        );
        client.list_tools().await
    };
    let (listed, ()) = tokio::join!(ask, serve);
    let error = listed.expect_err("no list");
    assert!(error.to_string().contains("haiku"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_task_for_a_client_that_declares_none_is_an_error() {
    let (client, mut script) = Script::modern(Client::builder().tasks(false)).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script.reply(&call, created()).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert!(
        matches!(result, Err(ClientError::Protocol { .. })),
        "{result:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_servers_error_is_the_calls_error() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script.refuse(&call, -32602, "Unknown tool: wrok").await;
    };
    let (result, ()) = tokio::join!(client.call_tool("wrok", Value::Null), serve);
    assert_eq!(
        result.as_ref().expect_err("an error").to_string(),
        "the call of `wrok`: Unknown tool: wrok (-32602)"
    );
    assert_eq!(code(result), -32602);
}

#[tokio::test(start_paused = true)]
async fn arguments_that_are_no_object_are_not_sent() {
    let (client, _script) = Script::modern(Client::builder()).await;
    let error = client
        .call_tool("work", json!([1]))
        .await
        .expect_err("no call");
    assert!(matches!(error, ClientError::Invalid(_)), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn questions_of_any_request_that_may_ask_are_answered() {
    let (client, mut script) = Script::modern(ada()).await;
    for method in ["prompts/get", "resources/read"] {
        let serve = async {
            let first = script.expect(method).await;
            script.reply(&first, asking(json!("s"))).await;
            let second = script.expect(method).await;
            assert_eq!(second["params"]["requestState"], "s");
            assert_eq!(
                second["params"]["inputResponses"]["who"]["content"]["name"],
                "Ada"
            );
            script.reply(&second, json!({ "done": true })).await;
        };
        let (result, ()) = tokio::join!(client.request(method, json!({ "name": "x" })), serve);
        assert_eq!(result.expect("a result")["done"], true, "{method}");
    }
}
