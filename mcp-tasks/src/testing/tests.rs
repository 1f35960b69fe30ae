mod replies;

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};

use super::{Client, ClientBuilder, ClientKind, Direction, End, ErrorReply, Reply, every_client};

/// A server that answers each message with the messages that `script` makes of it.
fn peer(mut script: impl FnMut(Value) -> Vec<Value> + Send + 'static) -> DuplexStream {
    let (near, far) = tokio::io::duplex(1 << 16);
    let (reader, mut writer) = tokio::io::split(far);
    tokio::spawn(async move {
        let mut lines = BufReader::new(reader).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let message: Value = serde_json::from_str(&line).expect("the client writes JSON");
            for answer in script(message) {
                writer
                    .write_all(format!("{answer}\n").as_bytes())
                    .await
                    .expect("the client reads");
            }
        }
    });
    near
}

/// A stream on which the server has written these bytes and no more.
async fn written(bytes: &[u8]) -> (DuplexStream, DuplexStream) {
    let (near, mut far) = tokio::io::duplex(1 << 16);
    far.write_all(bytes).await.expect("the client reads");
    (near, far)
}

fn ok(request: &Value, result: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "id": request["id"], "result": result.into() })
}

fn text(text: &str) -> Value {
    json!({ "resultType": "complete", "content": [{ "type": "text", "text": text }] })
}

fn question(key: &str) -> Value {
    json!({ key: { "method": "elicitation/create", "params": { "message": "Sure?" } } })
}

fn modern() -> ClientBuilder {
    Client::builder(ClientKind::TasksExtension)
}

#[tokio::test]
async fn a_modern_request_says_who_asks_and_keeps_what_the_caller_put_there() {
    let mut client = modern()
        .over(peer(|request| {
            vec![ok(&request, request["params"].clone())]
        }))
        .await;
    let params = json!({ "a": 1, "_meta": { "progressToken": 7 } });
    let echoed = client.request("x", params).await.unwrap();
    assert_eq!(echoed["a"], 1);
    assert_eq!(echoed["_meta"]["progressToken"], 7);
    assert_eq!(
        echoed["_meta"]["io.modelcontextprotocol/protocolVersion"],
        "2026-07-28"
    );
    let declared = &echoed["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    assert_eq!(
        declared["extensions"]["io.modelcontextprotocol/tasks"],
        json!({})
    );
}

#[tokio::test]
async fn a_legacy_client_shakes_hands_and_sets_its_log_level() {
    let client = Client::builder(ClientKind::V2025_06_18).log_level("warning");
    let client = client.over(peer(|message| match message["id"] {
        Value::Null => vec![],
        _ => vec![ok(&message, json!({ "seen": message["method"] }))],
    }));
    let client = client.await;
    let sent = client
        .transcript()
        .iter()
        .filter(|(direction, _)| *direction == Direction::ToServer);
    let methods: Vec<&str> = sent
        .filter_map(|(_, message)| message["method"].as_str())
        .collect();
    assert_eq!(
        methods,
        [
            "initialize",
            "notifications/initialized",
            "logging/setLevel"
        ]
    );
    assert_eq!(
        client.initialize_result(),
        Some(&json!({ "seen": "initialize" }))
    );
}

#[tokio::test(start_paused = true)]
async fn an_extension_task_is_polled_and_its_question_answered_once() {
    let mut polls = 0;
    let mut answered = false;
    let server = peer(move |request| {
        let task = json!({ "resultType": "complete", "taskId": "t", "status": "working" });
        let result = match request["method"].as_str() {
            Some("tools/call") => {
                json!({ "resultType": "task", "taskId": "t", "status": "working" })
            }
            Some("tasks/update") => {
                assert_eq!(
                    request["params"]["inputResponses"]["k"]["action"],
                    "decline"
                );
                assert!(!answered, "answered twice");
                answered = true;
                json!({ "resultType": "complete" })
            }
            _ => {
                polls += 1;
                let mut task = task;
                match polls {
                    1 => task["statusMessage"] = json!("thinking"),
                    // The answer may take effect a little after it was taken.
                    2 | 3 => {
                        task["status"] = json!("input_required");
                        task["inputRequests"] = question("k");
                    }
                    _ => {
                        task["status"] = json!("completed");
                        task["result"] = text("left");
                    }
                }
                task
            }
        };
        vec![ok(&request, result)]
    });
    let outcome = modern()
        .over(server)
        .await
        .call("t", json!({}))
        .decline()
        .await;
    assert_eq!(outcome.text(), "left");
    assert_eq!(outcome.statuses, ["working", "input_required", "completed"]);
    assert_eq!(outcome.status_messages, ["thinking"]);
    assert_eq!(outcome.questions[0].key.as_deref(), Some("k"));
}

#[tokio::test(start_paused = true)]
async fn an_answer_the_server_refuses_is_asked_again() {
    let mut accepted = false;
    let server = peer(move |request| {
        let answer = &request["params"]["inputResponses"]["k"];
        vec![match request["method"].as_str() {
            Some("tools/call") => ok(&request, json!({ "resultType": "task", "taskId": "t" })),
            Some("tasks/update") if answer["content"]["n"] != 2 => json!({
                "jsonrpc": "2.0", "id": request["id"], "error": { "code": -32602, "message": "no" },
            }),
            Some("tasks/update") => {
                accepted = true;
                ok(&request, json!({ "resultType": "complete" }))
            }
            _ if accepted => ok(
                &request,
                json!({ "status": "completed", "result": text("two") }),
            ),
            _ => ok(
                &request,
                json!({ "status": "input_required", "inputRequests": question("k") }),
            ),
        }]
    });
    let mut client = modern().over(server).await;
    let outcome = client
        .call("t", json!({}))
        .accept(json!({ "n": 1 }))
        .accept(json!({ "n": 2 }))
        .await;
    assert_eq!(outcome.text(), "two");
    assert_eq!(outcome.refused, [ErrorReply::new(-32602, "no")]);
}

#[tokio::test]
async fn a_json_rpc_error_is_an_error_too() {
    let refuse = |request: Value| {
        let error = json!({ "code": -32602, "message": "no" });
        vec![json!({ "jsonrpc": "2.0", "id": request["id"], "error": error })]
    };
    let mut client = modern().over(peer(refuse)).await;
    assert!(client.call("t", json!({})).await.is_error());
}

/// A 2025-11-25 server with one tool that must and one that cannot be a task.
fn core_server(message: &Value, waiting: &mut Value) -> Vec<Value> {
    let tool = |name: &str, support: &str| json!({ "name": name, "execution": { "taskSupport": support } });
    let tasks = json!({ "requests": { "tools": { "call": {} } } });
    let elicit = json!({
        "jsonrpc": "2.0", "id": 90, "method": "elicitation/create",
        "params": { "message": "Sure?", "_meta": { "io.modelcontextprotocol/related-task": { "taskId": "t" } } },
    });
    match message["method"].as_str() {
        Some("initialize") => vec![ok(message, json!({ "capabilities": { "tasks": tasks } }))],
        Some("tools/list") => {
            vec![ok(
                message,
                json!({ "tools": [tool("long", "required"), tool("short", "forbidden")] }),
            )]
        }
        Some("tools/call") if message["params"]["task"]["ttl"] == 9 => {
            vec![ok(
                message,
                json!({ "task": { "taskId": "t", "status": "working" } }),
            )]
        }
        Some("tools/call") => vec![ok(message, text("inline"))],
        Some("tasks/result") => {
            *waiting = message["id"].clone();
            vec![elicit]
        }
        Some("tasks/get") => vec![ok(message, json!({ "taskId": "t", "status": "completed" }))],
        // The answer to the question.
        None => {
            let related = &message["result"]["_meta"]["io.modelcontextprotocol/related-task"];
            assert_eq!(related["taskId"], "t");
            vec![ok(&json!({ "id": waiting }), text("task"))]
        }
        _ => vec![],
    }
}

#[tokio::test]
async fn a_core_client_sends_task_where_the_tool_supports_it() {
    let client = Client::builder(ClientKind::CoreTasks);
    let mut waiting = Value::Null;
    let mut client = client
        .over(peer(move |message| core_server(&message, &mut waiting)))
        .await;
    let outcome = client
        .call("long", json!({}))
        .ttl(9)
        .without_progress()
        .decline()
        .await;
    assert_eq!(outcome.text(), "task");
    assert_eq!(outcome.task_id(), Some("t"));
    assert_eq!(outcome.statuses, ["working", "completed"]);
    let outcome = client.call("short", json!({})).ttl(9).await;
    assert_eq!(outcome.text(), "inline");
    assert!(!outcome.was_task());
}

#[tokio::test]
#[should_panic(expected = "a line that is no JSON")]
async fn a_stray_line_fails_the_test() {
    let (near, _far) = written(b"listening on stdin\n").await;
    modern().over(near).await.recv().await;
}

#[tokio::test]
#[should_panic(expected = "a line that is no message")]
async fn a_batch_is_a_message_in_2025_03_26_alone() {
    let (near, _far) = written(b"[]\n").await;
    modern().over(near).await.recv().await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "the server was silent for 30s")]
async fn a_silent_server_fails_the_test() {
    let (near, _far) = written(b"").await;
    modern().over(near).await.recv().await;
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_was_given_up_loses_no_part_of_a_line() {
    let (near, mut far) = written(br#"{"jsonrpc":"2.0","#).await;
    let mut client = modern().over(near).await;
    assert_eq!(client.try_recv(Duration::from_secs(1)).await, None);
    far.write_all(b"\"method\":\"m\"}\n")
        .await
        .expect("the client reads");
    assert_eq!(
        client.recv().await,
        json!({ "jsonrpc": "2.0", "method": "m" })
    );
}

#[tokio::test]
async fn a_parsed_result_is_the_value_however_it_travelled() {
    for result in [
        json!({ "content": [], "structuredContent": { "result": [7] } }),
        json!({ "content": [{ "type": "text", "text": "[7]" }] }),
    ] {
        let result = move |request: Value| {
            let mut result = result.clone();
            result["resultType"] = json!("complete");
            vec![ok(&request, result)]
        };
        let mut client = modern().over(peer(result)).await;
        assert_eq!(client.call("t", json!({})).await.parsed::<Vec<u8>>(), [7]);
    }
    let object =
        json!({ "resultType": "complete", "structuredContent": { "result": "x", "n": 1 } });
    let mut client = modern()
        .over(peer(move |request| vec![ok(&request, object.clone())]))
        .await;
    let outcome = client.call("t", json!({})).await;
    assert_eq!(outcome.parsed::<Value>(), json!({ "result": "x", "n": 1 }));
}

#[tokio::test]
#[should_panic(expected = "there is neither structured content nor JSON in the text")]
async fn a_result_that_holds_no_such_value_fails_the_test() {
    let answer = |request: Value| vec![ok(&request, text("seven"))];
    let mut client = modern().over(peer(answer)).await;
    client.call("t", json!({})).await.parsed::<u8>();
}

#[tokio::test(start_paused = true)]
#[should_panic(
    expected = "calling `t` as 2026-07-28 with the tasks extension: it ended before it reported `half`"
)]
async fn a_report_that_never_comes_fails_the_test() {
    let answer = |request: Value| vec![ok(&request, text("done"))];
    let mut client = modern().over(peer(answer)).await;
    client.call("t", json!({})).cancel_at("half").await;
}

#[tokio::test]
async fn an_error_s_message_is_what_there_is_to_read() {
    let error = json!({ "code": -32602, "message": "`n` must be a number" });
    let answer = move |request: Value| {
        vec![json!({ "jsonrpc": "2.0", "id": request["id"], "error": error.clone() })]
    };
    let mut client = modern().over(peer(answer)).await;
    let outcome = client.call("t", json!({})).await;
    assert!(outcome.is_error());
    assert_eq!(outcome.text(), "`n` must be a number");
}

#[tokio::test]
#[should_panic(expected = "it asked this before: the answer it got does not fit the form")]
async fn a_question_that_comes_again_says_why() {
    let asks = |request: Value| {
        let asks = json!({ "resultType": "input_required", "inputRequests": question("sure"),
            "requestState": "s" });
        vec![ok(&request, asks)]
    };
    let mut client = modern().over(peer(asks)).await;
    client
        .call("t", json!({}))
        .accept(json!({ "days": 31 }))
        .await;
}

#[test]
fn those_are_shown_pages_who_declare_it() {
    for kind in every_client().chain([ClientKind::Draft]) {
        let declared = &kind.default_capabilities()["elicitation"]["url"];
        assert_eq!(kind.shows_pages(), declared.is_object(), "{kind}");
    }
}
