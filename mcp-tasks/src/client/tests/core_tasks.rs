//! Following a task of 2025-11-25.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::script::{Script, ada, code, name, name_question, text, work};
use crate::client::{Answer, CallResult, Client, ClientBuilder, ClientError, FormQuestion, Wire};

async fn connected(client: ClientBuilder) -> (Client, Script) {
    let tasks = json!({ "cancel": {}, "requests": { "tools": { "call": {} } } });
    Script::legacy(
        client,
        Wire::V2025_11_25,
        json!({ "tools": {}, "tasks": tasks }),
    )
    .await
}

/// Lists one tool that may run as a task.
async fn list(script: &mut Script, support: &str) {
    let list = script.expect("tools/list").await;
    let tool =
        json!({ "name": "work", "inputSchema": {}, "execution": { "taskSupport": support } });
    script.reply(&list, json!({ "tools": [tool] })).await;
}

fn state(status: &str) -> Value {
    json!({ "taskId": "t-1", "status": status, "ttl": 60_000, "pollInterval": 500,
            "createdAt": "2025-11-25T00:00:00Z", "lastUpdatedAt": "2025-11-25T00:00:00Z" })
}

async fn create(script: &mut Script) -> Value {
    list(script, "optional").await;
    let call = script.expect("tools/call").await;
    script
        .reply(&call, json!({ "task": state("working") }))
        .await;
    call
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_may_run_as_a_task_does_and_its_result_is_fetched_at_its_end() {
    let (client, mut script) = connected(Client::builder()).await;
    let serve = async {
        let call = create(&mut script).await;
        assert_eq!(call["params"]["task"], json!({ "ttl": 90_000 }));
        let get = script.expect("tasks/get").await;
        assert_eq!(get["params"].get("_meta"), None);
        script.reply(&get, state("completed")).await;
        let result = script.expect("tasks/result").await;
        script.reply(&result, text("done")).await;
    };
    let call = async {
        let call = client
            .begin_call_tool("work", Value::Null)
            .keep(Duration::from_secs(90));
        call.await.expect("a call").result().await
    };
    let (result, ()) = tokio::join!(call, serve);
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_may_not_is_called_plainly() {
    let (client, mut script) = connected(Client::builder()).await;
    let serve = async {
        list(&mut script, "forbidden").await;
        let call = script.expect("tools/call").await;
        assert_eq!(call["params"].get("task"), None);
        script.reply(&call, text("plain")).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "plain");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_asks_is_asked_for_its_result_where_its_question_comes() {
    let (client, mut script) = connected(ada()).await;
    let serve = async {
        create(&mut script).await;
        let get = script.expect("tasks/get").await;
        script.reply(&get, state("input_required")).await;
        let result = script.expect("tasks/result").await;
        script.ask("q", "elicitation/create", name_question()).await;
        let answer = script.next().await;
        assert_eq!(answer["id"], "q");
        assert_eq!(
            answer["result"],
            json!({ "action": "accept", "content": { "name": "Ada" } })
        );
        script.reply(&result, text("Hi, Ada")).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "Hi, Ada");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_has_no_result_before_the_end_is_asked_for_it_at_the_end() {
    let (client, mut script) = connected(ada()).await;
    let serve = async {
        create(&mut script).await;
        let get = script.expect("tasks/get").await;
        script.reply(&get, state("input_required")).await;
        let early = script.expect("tasks/result").await;
        script.refuse(&early, -32602, "not completed yet").await;
        let get = script.expect("tasks/get").await;
        script.reply(&get, state("input_required")).await;
        script.ask("q", "elicitation/create", name_question()).await;
        assert_eq!(script.next().await["id"], "q");
        let get = script.expect("tasks/get").await;
        script.reply(&get, state("completed")).await;
        let result = script.expect("tasks/result").await;
        script.reply(&result, text("Hi, Ada")).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "Hi, Ada");
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_asked_again_is_put_once_and_answered_twice() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let client = Client::builder().on_form(move |_: FormQuestion| {
        count.fetch_add(1, Ordering::SeqCst);
        async {
            tokio::time::sleep(Duration::from_secs(10)).await;
            Answer::Accepted(name("Ada"))
        }
    });
    let (client, mut script) = connected(client).await;
    let mut question = name_question();
    let related = json!({ "io.modelcontextprotocol/related-task": { "taskId": "t-1" } });
    question["_meta"] = related.clone();
    script
        .ask("q1", "elicitation/create", question.clone())
        .await;
    script.ask("q2", "elicitation/create", question).await;
    let mut answered = Vec::new();
    for _ in 0..2 {
        let answer = script.next().await;
        assert_eq!(answer["result"]["_meta"], related);
        answered.push(answer["id"].clone());
    }
    answered.sort_by_key(Value::to_string);
    assert_eq!(answered, ["q1", "q2"]);
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    drop(client);
}

#[tokio::test(start_paused = true)]
async fn a_failed_task_ends_with_the_error_that_its_result_replays() {
    let (client, mut script) = connected(Client::builder()).await;
    let begin = async { work(&client).await };
    let (call, _) = tokio::join!(begin, create(&mut script));
    call.task_id().await.expect("a task");
    script
        .notify("notifications/tasks/status", state("failed"))
        .await;
    let result = script.expect("tasks/result").await;
    script.refuse(&result, -32603, "the disk is full").await;
    assert_eq!(code(call.result().await), -32603);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_task_has_ended_with_the_reply() {
    let (client, mut script) = connected(Client::builder()).await;
    let serve = async {
        create(&mut script).await;
        let cancel = script.expect("tasks/cancel").await;
        script.reply(&cancel, state("cancelled")).await;
    };
    let call = async {
        let call = work(&client).await;
        call.task_id().await.expect("a task");
        call.cancel().await.expect("a cancellation");
        call.result().await
    };
    let (result, ()) = tokio::join!(call, serve);
    assert!(
        matches!(result, Err(ClientError::Cancelled { .. })),
        "{result:?}"
    );
}

/// A call whose task asked something, and is cancelled while the answer's result is waited for: that request, and the
/// cancellation.
async fn cancelled_while_fetched(script: &mut Script) -> (Value, Value) {
    create(script).await;
    let get = script.expect("tasks/get").await;
    script.reply(&get, state("input_required")).await;
    let result = script.expect("tasks/result").await;
    let cancel = script.expect("tasks/cancel").await;
    (result, cancel)
}

async fn cancelled_call(client: &Client) -> Result<CallResult, ClientError> {
    let call = work(client).await;
    let cancel = async {
        // Not before it is asked for its result.
        tokio::time::sleep(Duration::from_secs(1)).await;
        call.cancel().await
    };
    let (_, result) = tokio::join!(cancel, call.result());
    result
}

fn cancelled_result() -> Value {
    let mut result = text("Task was cancelled");
    result["isError"] = json!(true);
    result
}

#[tokio::test(start_paused = true)]
async fn the_result_of_a_cancelled_task_is_no_result_whatever_comes_first() {
    let (client, mut script) = connected(Client::builder()).await;
    let serve = async {
        let (result, cancel) = cancelled_while_fetched(&mut script).await;
        script.reply(&result, cancelled_result()).await;
        let get = script.expect("tasks/get").await;
        script.reply(&get, state("cancelled")).await;
        script.reply(&cancel, state("cancelled")).await;
    };
    let (result, ()) = tokio::join!(cancelled_call(&client), serve);
    assert!(
        matches!(result, Err(ClientError::Cancelled { .. })),
        "{result:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_result_that_was_there_before_the_cancellation_is_one() {
    for looked in ["completed", "working"] {
        let (client, mut script) = connected(Client::builder()).await;
        let serve = async {
            let (result, cancel) = cancelled_while_fetched(&mut script).await;
            script.reply(&result, text("done")).await;
            script
                .refuse(
                    &cancel,
                    -32602,
                    "Cannot cancel task: already in terminal status",
                )
                .await;
            let get = script.expect("tasks/get").await;
            script.reply(&get, state(looked)).await;
        };
        let (result, ()) = tokio::join!(cancelled_call(&client), serve);
        assert_eq!(result.expect("a result").text(), "done", "{looked}");
    }
}

#[tokio::test(start_paused = true)]
async fn progress_goes_on_for_the_life_of_the_task() {
    let (client, mut script) = connected(Client::builder()).await;
    let (told, mut steps) = tokio::sync::mpsc::unbounded_channel();
    let serve = async {
        let call = create(&mut script).await;
        let token = &call["params"]["_meta"]["progressToken"];
        let step = json!({ "progressToken": token, "progress": 1, "total": 3, "message": "one" });
        script.notify("notifications/progress", step).await;
        let get = script.expect("tasks/get").await;
        script.reply(&get, state("completed")).await;
        let result = script.expect("tasks/result").await;
        script.reply(&result, text("done")).await;
    };
    let call = async {
        let call = client
            .begin_call_tool("work", Value::Null)
            .on_progress(move |progress| {
                let _ = told.send((progress.done, progress.total, progress.message));
            });
        call.await.expect("a call").result().await
    };
    let (result, ()) = tokio::join!(call, serve);
    result.expect("a result");
    assert_eq!(
        steps.recv().await,
        Some((1.0, Some(3.0), Some("one".to_owned())))
    );
}

#[tokio::test(start_paused = true)]
async fn a_completed_task_that_is_gone_has_expired_and_a_failed_one_may_have_that_error() {
    for (status, expired) in [("completed", true), ("failed", false)] {
        let (client, mut script) = connected(Client::builder()).await;
        let serve = async {
            create(&mut script).await;
            let get = script.expect("tasks/get").await;
            script.reply(&get, state(status)).await;
            let result = script.expect("tasks/result").await;
            script.refuse(&result, -32602, "no such thing").await;
        };
        let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
        let gone = matches!(result, Err(ClientError::Expired { .. }));
        assert_eq!(gone, expired, "{status}: {result:?}");
    }
}
