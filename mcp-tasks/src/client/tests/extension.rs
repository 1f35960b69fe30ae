//! Following a task of 2026-07-28.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::script::{Script, ada, code, created, name, name_question, task, text, work};
use crate::client::{Answer, Client, ClientError, FormQuestion, Status};

#[tokio::test(start_paused = true)]
async fn a_call_that_becomes_a_task_ends_like_a_plain_one() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script.reply(&call, created()).await;
        script.refuse_to_listen().await;
        let get = script.expect("tasks/get").await;
        assert_eq!(get["params"]["taskId"], "t-1");
        script.end_task(&get).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn the_task_is_looked_at_in_the_servers_interval() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script.reply(&call, created()).await;
        let mut last = Instant::now();
        script.refuse_to_listen().await;
        for status in ["working", "working", "completed"] {
            let get = script.expect("tasks/get").await;
            assert_eq!(last.elapsed(), Duration::from_millis(300));
            last = Instant::now();
            script
                .reply(&get, task(status, json!({ "result": text("done") })))
                .await;
        }
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    result.expect("a result");
}

#[tokio::test(start_paused = true)]
async fn without_an_interval_it_is_a_second_and_more_as_nothing_changes() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script
            .reply(
                &call,
                task(
                    "working",
                    json!({ "resultType": "task", "pollIntervalMs": null }),
                ),
            )
            .await;
        script.refuse_to_listen().await;
        let mut waits = Vec::new();
        let mut last = Instant::now();
        for _ in 0..8 {
            let get = script.expect("tasks/get").await;
            waits.push(last.elapsed().as_secs_f32());
            last = Instant::now();
            script
                .reply(&get, task("working", json!({ "pollIntervalMs": null })))
                .await;
        }
        assert_eq!(
            waits,
            [1.0, 1.5, 2.25, 3.375, 5.063, 7.594, 10.0, 10.0].map(|secs: f32| secs)
        );
    };
    let call = work(&client).await;
    serve.await;
    drop(call);
}

#[tokio::test(start_paused = true)]
async fn what_is_told_needs_no_looking() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script.reply(&call, created()).await;
        let listen = script.expect("subscriptions/listen").await;
        let filter = json!({ "taskIds": ["t-1"] });
        assert_eq!(listen["params"]["notifications"], filter);
        let meta = json!({ "io.modelcontextprotocol/subscriptionId": listen["id"] });
        let granted = json!({ "_meta": meta, "notifications": filter });
        script
            .notify("notifications/subscriptions/acknowledged", granted)
            .await;
        tokio::time::sleep(Duration::from_secs(20)).await;
        let mut done = task(
            "completed",
            json!({ "result": text("told"), "_meta": meta }),
        );
        done.as_object_mut()
            .expect("an object")
            .remove("resultType");
        script.notify("notifications/tasks", done).await;
        // Nobody listens any more.
        let cancelled = script.expect("notifications/cancelled").await;
        assert_eq!(cancelled["params"]["requestId"], listen["id"]);
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "told");
}

#[tokio::test(start_paused = true)]
async fn each_question_is_put_once_and_its_answer_sent_by_its_key() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let client = Client::builder().on_form(move |question: FormQuestion| {
        count.fetch_add(1, Ordering::SeqCst);
        assert_eq!(question.asker.tool.as_deref(), Some("work"));
        assert_eq!(
            question.asker.task.map(|id| id.to_string()).as_deref(),
            Some("t-1")
        );
        async { Answer::Accepted(name("Ada")) }
    });
    let (client, mut script) = Script::modern(client).await;
    let asking = || {
        let request = json!({ "method": "elicitation/create", "params": name_question() });
        task(
            "input_required",
            json!({ "inputRequests": { "k1": request } }),
        )
    };
    let serve = async {
        let call = script.expect("tools/call").await;
        script.reply(&call, created()).await;
        script.refuse_to_listen().await;
        let get = script.expect("tasks/get").await;
        script.reply(&get, asking()).await;
        let update = script.expect("tasks/update").await;
        assert_eq!(
            update["params"]["inputResponses"],
            json!({ "k1": { "action": "accept", "content": { "name": "Ada" } } })
        );
        script
            .reply(&update, json!({ "resultType": "complete" }))
            .await;
        // The server may take its time to see the answer.
        let get = script.expect("tasks/get").await;
        script.reply(&get, asking()).await;
        let get = script.expect("tasks/get").await;
        script
            .reply(
                &get,
                task("completed", json!({ "result": text("Hi, Ada") })),
            )
            .await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "Hi, Ada");
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_does_not_fit_ends_the_call_and_is_not_sent() {
    let client =
        Client::builder().on_form(async |_: FormQuestion| Answer::Accepted(serde_json::Map::new()));
    let (client, mut script) = Script::modern(client).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        let request = json!({ "method": "elicitation/create", "params": name_question() });
        let asking = task(
            "input_required",
            json!({ "inputRequests": { "k1": request } }),
        );
        script.reply(&call, created()).await;
        script.refuse_to_listen().await;
        let get = script.expect("tasks/get").await;
        script.reply(&get, asking).await;
        script.expect("tasks/cancel").await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    let error = result.expect_err("no answer");
    assert!(matches!(error, ClientError::Question { .. }), "{error:?}");
    assert!(error.to_string().contains("`name`"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_question_nobody_waits_for_is_withdrawn() {
    let withdrawn = Arc::new(Notify::new());
    let tell = Arc::clone(&withdrawn);
    let client = Client::builder().on_form(move |_: FormQuestion| {
        let guard = NotifyOnDrop(Arc::clone(&tell));
        async move {
            let _guard = guard;
            std::future::pending().await
        }
    });
    let (client, mut script) = Script::modern(client).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script.reply(&call, created()).await;
        script.refuse_to_listen().await;
        let request = json!({ "method": "elicitation/create", "params": name_question() });
        let get = script.expect("tasks/get").await;
        script
            .reply(
                &get,
                task(
                    "input_required",
                    json!({ "inputRequests": { "k1": request } }),
                ),
            )
            .await;
        let get = script.expect("tasks/get").await;
        script.reply(&get, task("working", json!({}))).await;
        withdrawn.notified().await;
        let get = script.expect("tasks/get").await;
        script
            .reply(
                &get,
                task("completed", json!({ "result": text("without") })),
            )
            .await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "without");
}

struct NotifyOnDrop(Arc<Notify>);

impl Drop for NotifyOnDrop {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_is_not_waited_for_beyond_the_time_it_is_kept() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let began = Instant::now();
    let serve = async {
        let call = script.expect("tools/call").await;
        script.reply(&call, created()).await;
        script.refuse_to_listen().await;
        loop {
            let request = script.next().await;
            if request["method"] == "tasks/cancel" {
                return;
            }
            script.reply(&request, task("working", json!({}))).await;
        }
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert!(
        matches!(result, Err(ClientError::Expired { .. })),
        "{result:?}"
    );
    assert_eq!(began.elapsed().as_secs(), 60);
}

#[tokio::test(start_paused = true)]
async fn looking_that_fails_for_a_while_is_tried_again() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script.reply(&call, created()).await;
        script.refuse_to_listen().await;
        for _ in 0..3 {
            let get = script.expect("tasks/get").await;
            script.refuse(&get, -32603, "the store is away").await;
        }
        let get = script.expect("tasks/get").await;
        script.end_task(&get).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_task_may_still_complete() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let call = work(&client).await;
    let serve = async {
        let call = script.expect("tools/call").await;
        script.reply(&call, created()).await;
        script.refuse_to_listen().await;
        let cancel = script.expect("tasks/cancel").await;
        script
            .reply(&cancel, json!({ "resultType": "complete" }))
            .await;
        let get = script.expect("tasks/get").await;
        script
            .reply(
                &get,
                task("completed", json!({ "result": text("all the same") })),
            )
            .await;
    };
    let cancel = async {
        call.task_id().await.expect("a task");
        call.cancel().await.expect("an acknowledgement");
        call.result().await
    };
    let (result, ()) = tokio::join!(cancel, serve);
    assert_eq!(result.expect("a result").text(), "all the same");
}

#[tokio::test(start_paused = true)]
async fn states_are_seen_in_their_order_and_the_next_look_waits_for_whoever_sees_them() {
    let (client, mut script) = Script::modern(ada()).await;
    let (seen, mut states) = tokio::sync::mpsc::unbounded_channel();
    let call = client
        .begin_call_tool("work", Value::Null)
        .on_status(move |task| {
            let seen = seen.clone();
            async move {
                tokio::time::sleep(Duration::from_secs(5)).await;
                let _ = seen.send(task.status);
            }
        })
        .await
        .expect("a call");
    let mut changes = call.status_changes();
    let serve = async {
        let call = script.expect("tools/call").await;
        script.reply(&call, created()).await;
        let answered = Instant::now();
        script.refuse_to_listen().await;
        let get = script.expect("tasks/get").await;
        assert!(answered.elapsed() >= Duration::from_secs(5));
        let error = json!({ "code": -32603, "message": "the disk is full" });
        script
            .reply(&get, task("failed", json!({ "error": error })))
            .await;
    };
    let watch = async {
        let mut all = Vec::new();
        while let Some(task) = changes.next().await {
            all.push(task.status);
        }
        all
    };
    let (result, all, ()) = tokio::join!(call.result(), watch, serve);
    assert_eq!(code(result), -32603);
    assert_eq!(all, [Status::Working, Status::Failed]);
    assert_eq!(states.recv().await, Some(Status::Working));
    assert_eq!(states.recv().await, Some(Status::Failed));
}
