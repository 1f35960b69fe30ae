//! Questions that servers put twice, for ever, or with defaults that are no answers.

use std::time::Duration;

use serde_json::{Value, json};

use super::script::{Script, ada, name, name_question, text};
use crate::client::{Client, ClientError, Wire};

#[tokio::test(start_paused = true)]
async fn a_default_that_does_not_fit_its_field_is_not_sent() {
    let (client, mut script) = Script::modern(ada()).await;
    let mut question = name_question();
    question["requestedSchema"]["properties"] = json!({
        "name": { "type": "string" },
        "size": { "type": "string", "enum": ["s", "m"], "default": "xxl" },
        "count": { "type": "integer", "minimum": 1, "maximum": 5, "default": 50 },
        "tags": { "type": "array", "items": { "enum": ["a", "b"] }, "default": ["z"] },
        "mail": { "type": "string", "format": "email", "default": "nobody" },
    });
    let serve = async {
        let call = script.expect("tools/call").await;
        let request = json!({ "method": "elicitation/create", "params": question });
        script
            .reply(
                &call,
                json!({ "resultType": "input_required", "inputRequests": { "who": request } }),
            )
            .await;
        let retry = script.expect("tools/call").await;
        assert_eq!(
            retry["params"]["inputResponses"]["who"]["content"],
            Value::from(name("Ada"))
        );
        script.reply(&retry, text("done")).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("greet", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_delivered_again_while_it_waits_is_put_once() {
    let put = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = std::sync::Arc::clone(&put);
    let client = Client::builder().on_form(move |_| {
        count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            crate::client::Answer::Accepted(name("Ada"))
        }
    });
    let (_client, mut script) = Script::legacy(client, Wire::V2025_06_18, json!({})).await;
    for _ in 0..2 {
        script
            .ask("q-1", "elicitation/create", name_question())
            .await;
    }
    assert_eq!(script.next().await["id"], "q-1");
    assert_eq!(put.load(std::sync::atomic::Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn questions_without_end_end_the_call() {
    let (client, mut script) = Script::modern(ada()).await;
    let serve = async {
        let mut rounds = 0;
        loop {
            let call = script.expect("tools/call").await;
            rounds += 1;
            let request = json!({ "method": "elicitation/create", "params": name_question() });
            script
                .reply(
                    &call,
                    json!({ "resultType": "input_required", "inputRequests": { "who": request } }),
                )
                .await;
            if rounds == 100 {
                break;
            }
        }
    };
    let (result, ()) = tokio::join!(client.call_tool("greet", Value::Null), serve);
    assert!(
        matches!(result, Err(ClientError::Protocol { .. })),
        "{result:?}"
    );
}
