//! Servers that write what no server should.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::script::{Script, ada, code, created, name, name_question, task, text, work};
use crate::client::{Client, ClientError, Wire};

/// Longer than anything here takes, in paused time.
const HOUR: Duration = Duration::from_secs(3600);

#[tokio::test(start_paused = true)]
async fn a_line_beyond_the_bound_ends_the_connection_and_says_so() {
    let (client, mut script) = Script::modern(Client::builder().message_bytes(1000)).await;
    let serve = async {
        let request = script.expect("tools/call").await;
        script.reply(&request, text(&"x".repeat(500))).await;
        script.expect("tools/call").await;
        script.write(&"x".repeat(2000)).await;
    };
    let ask = async {
        client
            .call_tool("work", Value::Null)
            .await
            .expect("within the bound");
        client.call_tool("work", Value::Null).await
    };
    let (result, ()) = timeout(HOUR, async { tokio::join!(ask, serve) })
        .await
        .expect("an end");
    let error = result.expect_err("no line").to_string();
    assert!(error.contains("1000 bytes"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn one_bad_member_of_a_batch_takes_no_other_along() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let request = script.expect("tools/call").await;
        let response = json!({ "jsonrpc": "2.0", "id": request["id"], "result": text("done") });
        script.write(&format!("[7, {response}, null]\n")).await;
    };
    let call = timeout(HOUR, client.call_tool("work", Value::Null));
    let (result, ()) = tokio::join!(call, serve);
    let result = result.expect("an answer").expect("a result");
    assert_eq!(result.text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_response_without_result_or_error_still_ends_its_request() {
    for response in [
        r#"{"jsonrpc":"2.0","id":ID}"#,
        r#"{"jsonrpc":"2.0","id":ID,"error":null}"#,
        r#"{"jsonrpc":"2.0","id":"ID","result":1e999}"#,
        r#"{"jsonrpc":"2.0","id":ID,"result":null}"#,
        r#"{"jsonrpc":"2.0","id":ID,"result":[]}"#,
    ] {
        let (client, mut script) = Script::modern(Client::builder()).await;
        let serve = async {
            let request = script.expect("tools/call").await;
            let id = request["id"].to_string();
            script
                .write(&format!("{}\n", response.replace("ID", &id)))
                .await;
        };
        let call = timeout(HOUR, client.call_tool("work", Value::Null));
        let (result, ()) = tokio::join!(call, serve);
        assert!(result.expect("an answer").is_err(), "{response}");
    }
}

#[tokio::test(start_paused = true)]
async fn noise_between_messages_disturbs_nobody() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        script
            .write("starting up ...\n\r\n\n[]\n{}\n\"text\"\n{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\n")
            .await;
        script
            .write("{\"jsonrpc\":\"2.0\",\"method\":7}\n{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}\n")
            .await;
        let request = script.expect("tools/call").await;
        script.reply(&request, text("done")).await;
        script.reply(&request, text("done twice")).await;
        let request = script.expect("tools/call").await;
        script.reply(&request, text("again")).await;
    };
    let ask = async {
        let first = client.call_tool("work", Value::Null).await;
        let second = client.call_tool("work", Value::Null).await;
        (
            first.expect("a result").text(),
            second.expect("a result").text(),
        )
    };
    let (texts, ()) = tokio::join!(ask, serve);
    assert_eq!(texts, ("done".to_owned(), "again".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_task_that_answers_by_another_name_is_an_error() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let request = script.expect("tools/call").await;
        script.reply(&request, created()).await;
        script.refuse_to_listen().await;
        let look = script.expect("tasks/get").await;
        script
            .reply(&look, task("working", json!({ "taskId": "t-2" })))
            .await;
        let cancel = script.expect("tasks/cancel").await;
        assert_eq!(cancel["params"]["taskId"], "t-1");
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert!(
        matches!(result, Err(ClientError::Protocol { .. })),
        "{result:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_status_does_not_go_back_from_an_end() {
    let tasks = json!({ "tasks": { "requests": { "tools": { "call": {} } } } });
    let (client, mut script) = Script::legacy(Client::builder(), Wire::V2025_11_25, tasks).await;
    let state = |status: &str| json!({ "taskId": "t-1", "status": status, "ttl": null, "pollInterval": 100 });
    let begin = async {
        let call = client.begin_call_tool("work", Value::Null).await;
        call.expect("a call")
    };
    let serve = async {
        let list = script.expect("tools/list").await;
        let tool = json!({ "name": "work", "inputSchema": {}, "execution": { "taskSupport": "optional" } });
        script.reply(&list, json!({ "tools": [tool] })).await;
        script.expect("tools/call").await
    };
    let (call, request) = tokio::join!(begin, serve);
    script
        .reply(&request, json!({ "task": state("working") }))
        .await;
    call.task_id().await.expect("a task");
    script
        .notify("notifications/tasks/status", state("completed"))
        .await;
    let fetch = script.expect("tasks/result").await;
    script
        .notify("notifications/tasks/status", state("working"))
        .await;
    let look = script.expect("tasks/get").await;
    script.reply(&look, state("working")).await;
    let look = script.expect("tasks/get").await;
    assert_eq!(
        call.task().expect("a task").status,
        crate::client::Status::Completed
    );
    script.reply(&look, state("completed")).await;
    script.reply(&fetch, text("done")).await;
    assert_eq!(call.result().await.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_list_of_tools_without_end_is_given_up() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        for page in 0.. {
            let list = script.next().await;
            if list["method"] != "tools/list" {
                break;
            }
            let cursor = format!("page {page}");
            script
                .reply(&list, json!({ "tools": [], "nextCursor": cursor }))
                .await;
        }
    };
    let ask = client.list_tools();
    let listed = tokio::select! {
        listed = ask => listed,
        () = serve => unreachable!("the client closes first"),
        () = tokio::time::sleep(HOUR) => panic!("it reads for ever"),
    };
    assert!(
        matches!(listed, Err(ClientError::Protocol { .. })),
        "{listed:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_task_that_cannot_be_read_hides_no_other_of_its_list() {
    let tasks = json!({ "tasks": { "list": {} } });
    let (client, mut script) = Script::legacy(Client::builder(), Wire::V2025_11_25, tasks).await;
    let serve = async {
        let list = script.expect("tasks/list").await;
        let tasks = json!([
            { "taskId": "a", "status": "working" },
            { "taskId": "b", "status": "dozing" },
            7,
            { "taskId": "c", "status": "completed" },
        ]);
        script.reply(&list, json!({ "tasks": tasks })).await;
    };
    let (page, ()) = tokio::join!(client.list_tasks(None), serve);
    let ids: Vec<_> = page
        .expect("a page")
        .tasks
        .iter()
        .map(|task| task.id.to_string())
        .collect();
    assert_eq!(ids, ["a", "c"]);
}

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
async fn a_status_that_comes_before_the_reply_that_creates_its_task_counts() {
    let tasks = json!({ "tasks": { "requests": { "tools": { "call": {} } } } });
    let (client, mut script) = Script::legacy(Client::builder(), Wire::V2025_11_25, tasks).await;
    let state = |status: &str| json!({ "taskId": "t-1", "status": status, "ttl": null, "pollInterval": 60_000 });
    let serve = async {
        let list = script.expect("tools/list").await;
        let tool = json!({ "name": "work", "execution": { "taskSupport": "optional" } });
        script.reply(&list, json!({ "tools": [tool] })).await;
        let request = script.expect("tools/call").await;
        script
            .notify("notifications/tasks/status", state("completed"))
            .await;
        script
            .reply(&request, json!({ "task": state("working") }))
            .await;
        let fetch = script.expect("tasks/result").await;
        script.reply(&fetch, text("done")).await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_thousand_calls_share_a_connection_and_one_list_of_tools() {
    let tasks = json!({ "tasks": { "requests": { "tools": { "call": {} } } } });
    let (client, mut script) = Script::legacy(Client::builder(), Wire::V2025_11_25, tasks).await;
    let mut calls = tokio::task::JoinSet::new();
    for n in 0..1000 {
        let client = client.clone();
        calls.spawn(async move { client.call_tool("work", json!({ "n": n })).await });
    }
    let list = script.expect("tools/list").await;
    script
        .reply(&list, json!({ "tools": [{ "name": "work" }] }))
        .await;
    let mut requests = Vec::new();
    for _ in 0..1000 {
        requests.push(script.expect("tools/call").await);
    }
    for request in requests.iter().rev() {
        script
            .reply(
                request,
                text(&request["params"]["arguments"]["n"].to_string()),
            )
            .await;
    }
    let mut texts: Vec<u32> = Vec::new();
    while let Some(result) = calls.join_next().await {
        let text = result.expect("no panic").expect("a result").text();
        texts.push(text.parse().expect("a number"));
    }
    texts.sort_unstable();
    assert!(texts.into_iter().eq(0..1000));
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

#[tokio::test(start_paused = true)]
async fn a_result_type_that_is_no_text_is_an_error() {
    for kind in [json!(7), json!(["task"]), json!({})] {
        let (client, mut script) = Script::modern(Client::builder()).await;
        let serve = async {
            let call = script.expect("tools/call").await;
            script
                .reply(&call, json!({ "resultType": kind, "content": [] }))
                .await;
        };
        let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
        assert!(
            matches!(result, Err(ClientError::Protocol { .. })),
            "{kind}: {result:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_busy_with_a_look_is_left_alone_as_long_as_it_says() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let request = script.expect("tools/call").await;
        script.reply(&request, created()).await;
        script.refuse_to_listen().await;
        let look = script.expect("tasks/get").await;
        let data = json!({ "retryAfterMs": 20_000 });
        let refused = tokio::time::Instant::now();
        script
            .refuse_with(
                &look,
                json!({ "code": -32603, "message": "too many requests", "data": data }),
            )
            .await;
        let look = script.expect("tasks/get").await;
        assert!(refused.elapsed() >= Duration::from_secs(20));
        script
            .reply(&look, task("completed", json!({ "result": text("done") })))
            .await;
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_ends_just_before_its_time_is_over_is_seen_to_end() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let request = script.expect("tools/call").await;
        let mut created = created();
        created["pollIntervalMs"] = Value::Null;
        script.reply(&request, created.clone()).await;
        script.refuse_to_listen().await;
        let began = tokio::time::Instant::now();
        loop {
            let look = script.next().await;
            assert_eq!(look["method"], "tasks/get", "it was given up");
            let state = if began.elapsed() > Duration::from_secs(59) {
                task(
                    "completed",
                    json!({ "pollIntervalMs": null, "result": text("done") }),
                )
            } else {
                task("working", json!({ "pollIntervalMs": null }))
            };
            let ended = state["status"] == "completed";
            script.reply(&look, state).await;
            if ended {
                break;
            }
        }
    };
    let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
    assert_eq!(result.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn odd_intervals_neither_hammer_the_server_nor_stop_the_client() {
    for interval in [json!(0), json!(-5), json!(0.25), json!(1e300), json!("7")] {
        let (client, mut script) = Script::modern(Client::builder()).await;
        let serve = async {
            let request = script.expect("tools/call").await;
            let mut created = created();
            created["pollIntervalMs"] = interval.clone();
            created["ttlMs"] = Value::Null;
            script.reply(&request, created).await;
            script.refuse_to_listen().await;
            let began = tokio::time::Instant::now();
            let look = script.expect("tasks/get").await;
            assert!(began.elapsed() >= Duration::from_millis(10), "{interval}");
            assert!(began.elapsed() <= Duration::from_secs(1), "{interval}");
            script
                .reply(&look, task("completed", json!({ "result": text("done") })))
                .await;
        };
        let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
        assert_eq!(result.expect("a result").text(), "done");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_to_a_server_that_goes_ends_with_or_without_a_task() {
    for with_task in [false, true] {
        let (client, mut script) = Script::modern(Client::builder()).await;
        let call = work(&client).await;
        let request = script.expect("tools/call").await;
        if with_task {
            script.reply(&request, created()).await;
            script.refuse_to_listen().await;
        }
        drop(script);
        let result = timeout(HOUR, call.result()).await.expect("an end");
        assert!(
            matches!(result, Err(ClientError::Closed { .. })),
            "task: {with_task}: {result:?}"
        );
        assert!(call.cancel().await.is_ok());
    }
}

#[tokio::test(start_paused = true)]
async fn two_calls_follow_one_task() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let reference = crate::client::Reference::new("t-1", Wire::V2026_07_28);
    let one = client.resume(reference.clone()).await.expect("a call");
    let two = client.resume(reference).await.expect("a call");
    for _ in 0..2 {
        let look = script.expect("tasks/get").await;
        script.reply(&look, task("working", json!({}))).await;
    }
    for _ in 0..2 {
        script.refuse_to_listen().await;
    }
    script
        .notify(
            "notifications/tasks",
            task("completed", json!({ "result": text("done") })),
        )
        .await;
    let (one, two) = tokio::join!(one.result(), two.result());
    assert_eq!(one.expect("a result").text(), "done");
    assert_eq!(two.expect("a result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_answers_cancellation_by_its_end_has_that_end() {
    let (_client, call, mut script) = Script::with_task(Client::builder()).await;
    call.task_id().await.expect("a task");
    let serve = async {
        let cancel = script.expect("tasks/cancel").await;
        script.refuse(&cancel, -32602, "the task has ended").await;
        let look = script.expect("tasks/get").await;
        script
            .reply(&look, task("completed", json!({ "result": text("done") })))
            .await;
    };
    let (cancelled, ()) = tokio::join!(call.cancel(), serve);
    assert_eq!(code(cancelled), -32602);
    assert_eq!(call.result().await.expect("a result").text(), "done");
}
