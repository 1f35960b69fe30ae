//! Handlers of the application's that panic, or never come back.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::script::{Script, created, name_question, task, text};
use crate::LogLevel;
use crate::client::{Answer, Client, ClientBuilder, ClientError, FormQuestion, Wire};

const HOUR: Duration = Duration::from_secs(3600);

fn panicking() -> ClientBuilder {
    Client::builder()
        .on_form(async |_: FormQuestion| -> Answer<Map<String, Value>> { panic!("no form today") })
}

#[tokio::test(start_paused = true)]
async fn a_progress_or_log_handler_that_panics_takes_no_message_along() {
    let client = Client::builder().on_log(LogLevel::Info, |_| panic!("no log today"));
    let (client, mut script) = Script::modern(client).await;
    let call = client
        .begin_call_tool("work", Value::Null)
        .on_progress(|_| panic!("no progress today"))
        .await
        .expect("a call");
    let request = script.expect("tools/call").await;
    let token = request["params"]["_meta"]["progressToken"].clone();
    for done in 1..3 {
        script
            .notify(
                "notifications/progress",
                json!({ "progressToken": token, "progress": done }),
            )
            .await;
        script
            .notify(
                "notifications/message",
                json!({ "level": "info", "data": "x" }),
            )
            .await;
    }
    script.reply(&request, text("done")).await;
    let result = timeout(HOUR, call.result()).await.expect("an end");
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_form_handler_that_panics_is_answered_with_an_error() {
    let (_client, mut script) = Script::legacy(panicking(), Wire::V2025_06_18, json!({})).await;
    script
        .ask("q-1", "elicitation/create", name_question())
        .await;
    let answer = timeout(HOUR / 2, script.next()).await.expect("an answer");
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!("q-1"), &json!(-32603))
    );
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_form_handler_panics_is_cancelled() {
    let (client, mut script) = Script::modern(panicking()).await;
    let serve = async {
        let request = script.expect("tools/call").await;
        script.reply(&request, created()).await;
        script.refuse_to_listen().await;
        let look = script.expect("tasks/get").await;
        let question = json!({ "method": "elicitation/create", "params": name_question() });
        script
            .reply(
                &look,
                task(
                    "input_required",
                    json!({ "inputRequests": { "k": question } }),
                ),
            )
            .await;
        script.expect("tasks/cancel").await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    let error = result.expect_err("no answer");
    assert!(matches!(error, ClientError::Question { .. }), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn a_status_handler_that_panics_ends_its_call_and_cancels_the_task() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let call = client
        .begin_call_tool("work", Value::Null)
        .on_status(async |_| panic!("no status today"))
        .await
        .expect("a call");
    let request = script.expect("tools/call").await;
    script.reply(&request, created()).await;
    script.expect("tasks/cancel").await;
    let error = call.result().await.expect_err("no result").to_string();
    assert!(error.contains("panicked"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_question_nobody_answers_holds_up_neither_looks_nor_cancellation() {
    let client = Client::builder().on_form(async |_: FormQuestion| {
        std::future::pending::<Answer<Map<String, Value>>>().await
    });
    let (_client, call, mut script) = Script::with_task(client).await;
    for _ in 0..3 {
        let look = script.expect("tasks/get").await;
        let question = json!({ "method": "elicitation/create", "params": name_question() });
        script
            .reply(
                &look,
                task(
                    "input_required",
                    json!({ "inputRequests": { "k": question } }),
                ),
            )
            .await;
    }
    let serve = async {
        let mut cancel = script.next().await;
        while cancel["method"] == "tasks/get" {
            script.reply(&cancel, task("working", json!({}))).await;
            cancel = script.next().await;
        }
        script
            .reply(&cancel, json!({ "resultType": "complete" }))
            .await;
        let look = script.expect("tasks/get").await;
        script.reply(&look, task("cancelled", json!({}))).await;
    };
    let (cancelled, ()) = tokio::join!(call.cancel(), serve);
    cancelled.expect("told");
    assert!(matches!(
        call.result().await,
        Err(ClientError::Cancelled { .. })
    ));
}
