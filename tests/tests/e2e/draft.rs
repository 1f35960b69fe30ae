//! Tasks of the SEP-1686 draft: metadata on a call, which gets its ordinary response as well.

use std::time::Duration;

use mcp_tasks::Server;
use mcp_tasks::testing::{ClientKind, ErrorReply, tables};
use serde_json::{Value, json};
use tests::session::{Session, accepted, text};
use tests::tools::{Probe, plain_server, server};

use ClientKind::{CoreTasks, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

const TASK: &str = "modelcontextprotocol.io/task";
const RELATED: &str = "modelcontextprotocol.io/related-task";

async fn open() -> (Session, Server, Probe) {
    let (server, probe) = server();
    let client = Session::open(&server, V2025_06_18).await;
    (client, server, probe)
}

fn params(tool: &str, arguments: Value, task: Value) -> Value {
    let mut params = json!({ "name": tool });
    params["arguments"] = arguments;
    params["_meta"][TASK] = task;
    params
}

/// Begins a call that is to be the task `name`; the id of its request.
async fn begin(client: &mut Session, tool: &str, arguments: Value, name: &str) -> Value {
    let params = params(tool, arguments, json!({ "taskId": name }));
    let id = client.start("tools/call", params).await;
    let created = client.notification("notifications/tasks/created").await;
    assert_eq!(created["params"], json!({ "_meta": related(name) }));
    id
}

fn related(name: &str) -> Value {
    json!({ RELATED: { "taskId": name } })
}

async fn about(client: &mut Session, method: &str, name: &str) -> Result<Value, ErrorReply> {
    client.request(method, json!({ "taskId": name })).await
}

async fn status(client: &mut Session, name: &str) -> Value {
    let mut task = about(client, "tasks/get", name).await.expect("the task");
    task["status"].take()
}

/// The code and the text of an error.
fn refused(answer: Result<Value, ErrorReply>) -> (i64, String) {
    let error = answer.expect_err("an error");
    (error.code, error.message)
}

fn invalid(text: &str) -> (i64, String) {
    (-32602, text.to_owned())
}

const NOT_FOUND: &str = "Failed to retrieve task: Task not found";

#[tokio::test(start_paused = true)]
async fn a_task_is_told_of_from_its_creation_to_its_deletion() {
    for kind in [V2025_03_26, V2025_06_18, V2025_11_25] {
        let (server, _) = server();
        let mut client = Session::open(&server, kind).await;
        let task = json!({ "taskId": "786af6b0", "keepAlive": 60_000 });
        let call = params("nap", json!({ "millis": 3_000 }), task);
        let id = client.start("tools/call", call).await;
        client.notification("notifications/tasks/created").await;
        tokio::time::sleep(Duration::from_secs(1)).await;

        let shown = |status: &str| {
            json!({
                "taskId": "786af6b0", "status": status, "keepAlive": 60_000, "pollFrequency": 1_000,
            })
        };
        let mut working = shown("working");
        working["_meta"] = related("786af6b0");
        let now = about(&mut client, "tasks/get", "786af6b0").await.unwrap();
        assert_eq!(now, working, "{kind}");
        let list = client.request("tasks/list", json!({})).await.unwrap();
        assert_eq!(list, json!({ "tasks": [shown("working")] }), "{kind}");
        let early = about(&mut client, "tasks/result", "786af6b0").await;
        let text = "Cannot retrieve result: Task status is 'working', not 'completed'";
        assert_eq!(refused(early), invalid(text), "{kind}");

        let response = client.response(&id).await.unwrap();
        assert_eq!(response["_meta"], related("786af6b0"), "{kind}");
        assert_eq!(response["content"][0]["text"], "rested", "{kind}");
        assert_eq!(status(&mut client, "786af6b0").await, "completed", "{kind}");
        let result = about(&mut client, "tasks/result", "786af6b0").await;
        assert_eq!(result.unwrap(), response, "{kind}");

        let deleted = about(&mut client, "tasks/delete", "786af6b0").await;
        assert_eq!(deleted.unwrap(), json!({ "_meta": related("786af6b0") }));
        for method in ["tasks/get", "tasks/result", "tasks/delete"] {
            let gone = about(&mut client, method, "786af6b0").await;
            assert_eq!(refused(gone), invalid(NOT_FOUND), "{kind} {method}");
        }
        let list = client.request("tasks/list", json!({})).await.unwrap();
        assert_eq!(list, json!({ "tasks": [] }), "{kind}");
        begin(&mut client, "nap", json!({ "millis": 0 }), "786af6b0").await;
    }
}

#[tokio::test(start_paused = true)]
async fn every_message_of_a_task_names_it() {
    let (mut client, ..) = open().await;
    let mut call = params("ask_then_steps", json!({}), json!({ "taskId": "t" }));
    call["_meta"]["progressToken"] = json!("p");
    let id = client.start("tools/call", call).await;
    let question = client.server_request().await;
    assert_eq!(question["params"]["_meta"], related("t"));
    assert_eq!(status(&mut client, "t").await, "input_required");
    let answer = accepted(json!({ "name": "Ada" }));
    client.respond(&question["id"], answer).await;
    for step in 1..=2 {
        let progress = client.notification("notifications/progress").await;
        let params = &progress["params"];
        assert_eq!(params["progressToken"], "p");
        assert_eq!(params["progress"], step);
        assert_eq!(params["_meta"], related("t"));
    }
    assert_eq!(text(&client.response(&id).await.unwrap()), "done");
    let first = client.transcript().iter().find(|(_, message)| {
        message["params"]["_meta"] == related("t") && message["method"] != "tools/call"
    });
    let (_, first) = first.expect("messages of the task");
    assert_eq!(first["method"], "notifications/tasks/created");
    client.notification("notifications/tasks/created").await;
    assert!(client.leftovers().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_result_that_is_an_error_completes_the_task_and_a_protocol_error_fails_it() {
    let (mut client, ..) = open().await;
    let id = begin(&mut client, "fail", json!({}), "result").await;
    let response = client.response(&id).await.unwrap();
    assert_eq!(response["isError"], true);
    assert_eq!(status(&mut client, "result").await, "completed");
    let result = about(&mut client, "tasks/result", "result").await.unwrap();
    assert_eq!(result, response);

    let id = begin(&mut client, "refuse", json!({}), "error").await;
    let error = client.response(&id).await.unwrap_err();
    assert_eq!((error.code, &*error.message), (-32602, "no such ledger"));
    let task = about(&mut client, "tasks/get", "error").await.unwrap();
    assert_eq!(task["status"], "failed");
    assert_eq!(task["error"], "no such ledger");
    let result = about(&mut client, "tasks/result", "error").await;
    let text = "Cannot retrieve result: Task status is 'failed', not 'completed'";
    assert_eq!(refused(result), invalid(text));
}

#[tokio::test(start_paused = true)]
async fn cancelling_the_request_cancels_its_task_at_once_and_for_good() {
    for tool in ["hold", "wind_down"] {
        let (mut client, server, _) = open().await;
        let id = begin(&mut client, tool, json!({}), "t").await;
        client
            .notify("notifications/cancelled", json!({ "requestId": id }))
            .await;
        assert_eq!(status(&mut client, "t").await, "cancelled", "{tool}");
        let result = about(&mut client, "tasks/result", "t").await;
        let text = "Cannot retrieve result: Task status is 'cancelled', not 'completed'";
        assert_eq!(refused(result), invalid(text), "{tool}");
        assert!(client.leftovers().await.is_empty(), "no response comes");
        assert_eq!(status(&mut client, "t").await, "cancelled", "{tool}");
        let left = tables(&server);
        assert_eq!((left.task_runs, left.questions), (0, 0), "{tool}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_of_a_cancelled_task_is_withdrawn() {
    let (mut client, ..) = open().await;
    let id = begin(&mut client, "ask", json!({}), "t").await;
    let question = client.server_request().await;
    client
        .notify("notifications/cancelled", json!({ "requestId": id }))
        .await;
    let withdrawn = client.notification("notifications/cancelled").await;
    assert_eq!(withdrawn["params"]["requestId"], question["id"]);
    assert_eq!(status(&mut client, "t").await, "cancelled");
}

#[tokio::test(start_paused = true)]
async fn an_id_is_used_once_in_a_session_and_by_every_session_for_itself() {
    let (mut client, server, _) = open().await;
    begin(&mut client, "hold", json!({}), "t").await;
    let again = params("echo", json!({ "text": "a" }), json!({ "taskId": "t" }));
    let again = client.request("tools/call", again).await;
    assert_eq!(refused(again), invalid("Task ID already exists: t"));

    let mut other = Session::open(&server, V2025_06_18).await;
    let unknown = other.request("tasks/get", json!({ "taskId": "t" })).await;
    assert_eq!(unknown.unwrap_err().code, -32601, "it has not used the key");
    begin(&mut other, "echo", json!({ "text": "b" }), "u").await;
    for method in ["tasks/get", "tasks/result", "tasks/delete"] {
        let foreign = about(&mut other, method, "t").await;
        assert_eq!(refused(foreign), invalid(NOT_FOUND), "{method}");
    }
    begin(&mut other, "echo", json!({ "text": "c" }), "t").await;
    assert_eq!(status(&mut client, "t").await, "working");
}

#[tokio::test(start_paused = true)]
async fn of_two_calls_with_one_id_at_once_one_is_the_task() {
    let (mut client, ..) = open().await;
    let call = || params("nap", json!({ "millis": 1_000 }), json!({ "taskId": "t" }));
    let first = client.start("tools/call", call()).await;
    let second = client.start("tools/call", call()).await;
    let first = client.response(&first).await;
    let second = client.response(&second).await;
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
    assert_eq!(status(&mut client, "t").await, "completed");
}

#[tokio::test(start_paused = true)]
async fn a_task_is_kept_from_its_end_for_as_long_as_its_client_wants() {
    let (mut client, ..) = open().await;
    let task = json!({ "taskId": "t", "keepAlive": 60_000 });
    let call = params("nap", json!({ "millis": 3_600_000 }), task);
    let id = client.start("tools/call", call).await;
    tokio::time::sleep(Duration::from_secs(3_599)).await;
    client.response(&id).await.unwrap();
    tokio::time::sleep(Duration::from_secs(59)).await;
    assert_eq!(status(&mut client, "t").await, "completed");
    tokio::time::sleep(Duration::from_secs(2)).await;
    let late = about(&mut client, "tasks/get", "t").await;
    let text = "Failed to retrieve task: Task has expired";
    assert_eq!(refused(late), invalid(text));
}

#[tokio::test(start_paused = true)]
async fn a_task_that_lives_is_not_deleted() {
    let (mut client, ..) = open().await;
    begin(&mut client, "hold", json!({}), "t").await;
    let refusal = refused(about(&mut client, "tasks/delete", "t").await);
    assert_eq!(refusal.0, -32602);
    assert!(refusal.1.contains("'working'"), "{}", refusal.1);
    assert_eq!(status(&mut client, "t").await, "working");
}

#[tokio::test(start_paused = true)]
async fn a_body_that_winds_down_leaves_the_next_task_of_its_id_alone() {
    let (mut client, server, _) = open().await;
    let id = begin(&mut client, "wind_down", json!({}), "t").await;
    let request = json!({ "requestId": id });
    client.notify("notifications/cancelled", request).await;
    about(&mut client, "tasks/delete", "t").await.unwrap();
    begin(&mut client, "hold", json!({}), "t").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(status(&mut client, "t").await, "working");
    assert_eq!(tables(&server).task_runs, 1);
}

#[tokio::test(start_paused = true)]
async fn a_core_task_wins_over_the_draft_and_each_keeps_its_own_methods() {
    let (server, _) = server();
    let mut client = Session::open(&server, CoreTasks).await;
    let mut both = params("hold", json!({}), json!({ "taskId": "t" }));
    both["task"] = json!({});
    let created = client.request("tools/call", both).await.unwrap();
    let core = created["task"]["taskId"]
        .as_str()
        .expect("a task")
        .to_owned();
    let missing = about(&mut client, "tasks/get", "t").await;
    assert_eq!(refused(missing), invalid(NOT_FOUND));

    begin(&mut client, "nap", json!({ "millis": 60_000 }), "t").await;
    let cancel = about(&mut client, "tasks/cancel", "t").await;
    assert_eq!(refused(cancel), invalid(NOT_FOUND));
    let delete = about(&mut client, "tasks/delete", &core).await;
    assert_eq!(refused(delete), invalid(NOT_FOUND));
    let shown = about(&mut client, "tasks/get", &core).await.unwrap();
    assert!(shown["createdAt"].is_string(), "{shown}");
    let list = client.request("tasks/list", json!({})).await.unwrap();
    let names = list["tasks"].as_array().expect("tasks").iter();
    let names: Vec<_> = names.map(|task| task["taskId"].as_str()).collect();
    assert_eq!(names, [Some("t"), Some(&*core)]);
    about(&mut client, "tasks/cancel", &core).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_list_comes_in_pages_that_hold_every_task_once() {
    let (server, _) = server();
    let mut client = Session::open(&server, CoreTasks).await;
    let mut expected = Vec::new();
    for number in 0..70 {
        let name = format!("draft-{number}");
        let id = begin(&mut client, "echo", json!({ "text": "x" }), &name).await;
        client.response(&id).await.unwrap();
        expected.push(name);
    }
    for _ in 0..60 {
        let task = client.start_task("echo", json!({ "text": "x" })).await;
        expected.push(task["taskId"].as_str().expect("an id").to_owned());
    }
    let (mut found, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let params = if cursor.is_null() {
            json!({})
        } else {
            json!({ "cursor": cursor })
        };
        let mut page = client.request("tasks/list", params).await.unwrap();
        let tasks = page["tasks"].as_array().expect("tasks").iter();
        found.extend(tasks.map(|task| task["taskId"].as_str().unwrap_or_default().to_owned()));
        cursor = page["nextCursor"].take();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(found, expected);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_only_a_task_is_one_by_the_draft_too() {
    let (server, _) = server();
    let mut client = Session::open(&server, V2025_11_25).await;
    let plainly = client.call_plainly("export", json!({})).await;
    assert_eq!(plainly.unwrap_err().code, -32601);
    let id = begin(&mut client, "export", json!({}), "t").await;
    assert_eq!(text(&client.response(&id).await.unwrap()), "exported");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_no_task_and_a_modern_request_ignore_the_key() {
    let (server, _) = server();
    let plain = params("add", json!({ "a": 1, "b": 2 }), json!({ "taskId": "t" }));
    let modern = params("echo", json!({ "text": "3" }), json!({ "taskId": "t" }));
    for (kind, call) in [
        (V2025_06_18, plain),
        (
            V2025_06_18,
            params("add", json!({ "a": 1, "b": 2 }), json!(7)),
        ),
        (V2026_07_28, modern),
    ] {
        let mut client = Session::open(&server, kind).await;
        let result = client.request("tools/call", call).await.unwrap();
        assert_eq!(text(&result), "3", "{kind}");
        let task = about(&mut client, "tasks/get", "t").await;
        assert!(task.is_err(), "{kind}");
        assert!(client.leftovers().await.is_empty(), "{kind}");
    }
    let mut client = Session::open(&plain_server(), V2025_06_18).await;
    let call = params("add", json!({ "a": 1, "b": 2 }), json!({ "taskId": "t" }));
    assert_eq!(
        text(&client.request("tools/call", call).await.unwrap()),
        "3"
    );
}

#[tokio::test(start_paused = true)]
async fn a_key_of_another_shape_is_refused_before_anything_runs() {
    let (mut client, _, probe) = open().await;
    for task in [
        json!(7),
        json!({}),
        json!({ "taskId": 7 }),
        json!({ "taskId": "" }),
        json!({ "taskId": "x".repeat(257) }),
        json!({ "taskId": "t", "keepAlive": -1 }),
    ] {
        let call = params("hold", json!({}), task.clone());
        let error = client.request("tools/call", call).await.unwrap_err();
        assert_eq!(error.code, -32602, "{task}");
        assert!(error.message.contains(TASK), "{}", error.message);
    }
    assert_eq!(probe.started(), 0);
    let call = params("nap", json!({ "millis": "x" }), json!({ "taskId": "t" }));
    let misfit = client.request("tools/call", call).await.unwrap();
    assert_eq!(misfit["isError"], true, "the model reads what was wrong");
    assert!(about(&mut client, "tasks/get", "t").await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_task_of_a_connection_that_closes_ends_with_it_and_its_request_is_answered() {
    let (mut client, server, probe) = open().await;
    let id = begin(&mut client, "hold", json!({}), "t").await;
    while probe.started() == 0 {
        tokio::task::yield_now().await;
    }
    client.finish().await.unwrap();
    let error = client.response(&id).await.unwrap_err();
    assert_eq!(error.code, -32603);
    assert_eq!(probe.dropped(), 1);
    assert_eq!(tables(&server).task_runs, 0);
}
