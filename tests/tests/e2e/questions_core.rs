//! Questions of a 2025-11-25 task: requests to the client that are related to the task.

use std::time::Duration;

use mcp_tasks::testing::{Client, ClientKind, ErrorReply, Reply};
use serde_json::{Value, json};
use tests::session::{RELATED_TASK, Session, accepted, agree, text};
use tests::tools::server;

use ClientKind::CoreTasks;

async fn open() -> Session {
    Session::open(&server().0, CoreTasks).await
}

#[tokio::test(start_paused = true)]
async fn a_question_comes_while_the_result_is_waited_for() {
    let mut client = open().await;
    let task = client.start_task("ask", json!({})).await;
    let waiting = client
        .start("tasks/result", json!({ "taskId": task["taskId"] }))
        .await;
    let question = client.server_request().await;
    assert_eq!(question["method"], "elicitation/create");
    let params = &question["params"];
    assert_eq!(params["message"], "What is your name?");
    assert!(
        matches!(params["mode"].as_str(), None | Some("form")),
        "{params}"
    );
    assert_eq!(
        params["requestedSchema"]["properties"]["name"]["type"],
        "string"
    );
    assert_eq!(
        params["_meta"][RELATED_TASK],
        json!({ "taskId": task["taskId"] })
    );
    assert_eq!(client.get(&task).await["status"], "input_required");

    client
        .respond(&question["id"], accepted(json!({ "name": "Ada" })))
        .await;
    let result = client.response(&waiting).await.unwrap();
    assert_eq!(text(&result), "Hello, Ada!");
    assert_eq!(result["_meta"][RELATED_TASK]["taskId"], task["taskId"]);
    assert_eq!(client.get(&task).await["status"], "completed");
}

#[tokio::test(start_paused = true)]
async fn a_question_comes_over_stdio_though_nobody_waits_for_the_result() {
    let mut client = open().await;
    let task = client.start_task("ask", json!({})).await;
    let question = client.server_request().await;
    assert_eq!(
        question["params"]["_meta"][RELATED_TASK]["taskId"],
        task["taskId"]
    );
    client
        .respond(&question["id"], json!({ "action": "decline" }))
        .await;
    client.get_until(&task, "completed").await;
    assert_eq!(
        text(&client.about("tasks/result", &task).await.unwrap()),
        "declined"
    );
}

#[tokio::test(start_paused = true)]
async fn the_task_works_on_between_two_questions() {
    let mut client = open().await;
    let task = client.start_task("ask_in_turn", json!({})).await;
    for name in ["Ada", "Bob"] {
        let question = client.server_request().await;
        assert_eq!(client.get(&task).await["status"], "input_required");
        client
            .respond(&question["id"], accepted(json!({ "name": name })))
            .await;
    }
    let result = client.about("tasks/result", &task).await.unwrap();
    assert_eq!(text(&result), "Ada and Bob");
}

#[tokio::test(start_paused = true)]
async fn accept_decline_and_cancel_are_three_answers() {
    let (server, _) = server();
    for (reply, expected) in [
        (Reply::Accept(json!({ "name": "Ada" })), "Hello, Ada!"),
        (Reply::Decline, "declined"),
        (Reply::Dismiss, "dismissed"),
        (
            Reply::Result(json!({ "action": "cancel", "content": null })),
            "dismissed",
        ),
    ] {
        let mut client = Session::open(&server, CoreTasks).await;
        assert_eq!(
            client.call("ask", json!({})).reply(reply).await.text(),
            expected
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_does_not_fit_is_an_error_to_the_body() {
    let mut client = open().await;
    for wrong in [
        json!({ "action": "accept", "content": { "wrong": 1 } }),
        json!({ "action": "maybe" }),
        json!(7),
    ] {
        let outcome = client
            .call("ask_briefly", json!({}))
            .reply(Reply::Result(wrong))
            .await;
        assert!(outcome.text().starts_with("Invalid"), "{outcome:?}");
    }
    let outcome = client
        .call("ask", json!({}))
        .accept(json!({ "name": 7 }))
        .await;
    assert!(outcome.is_error(), "{outcome:?}");
    assert_eq!(outcome.statuses.last().map(String::as_str), Some("failed"));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_refuses_to_ask_does_not_wedge_the_task() {
    let mut client = open().await;
    let refusal = Reply::Error(ErrorReply::new(-32601, "no such method"));
    let outcome = client.call("ask", json!({})).reply(refusal).await;
    assert!(outcome.is_error(), "{outcome:?}");
}

#[tokio::test(start_paused = true)]
async fn an_unanswered_question_ends_when_its_time_is_up() {
    let mut client = open().await;
    let outcome = client
        .call("ask_briefly", json!({}))
        .reply(Reply::Never)
        .await;
    assert_eq!(outcome.text(), "TimedOut");
    let withdrawn = client.notification("notifications/cancelled").await;
    assert!(
        withdrawn["params"].get("requestId").is_some(),
        "{withdrawn}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_client_that_cannot_be_asked_is_not_asked() {
    let builder = Client::builder(CoreTasks).capabilities(json!({}));
    let mut client = Session::with(builder, &server().0).await;
    let outcome = client.call("ask", json!({})).await;
    assert!(outcome.is_error(), "{outcome:?}");
    assert!(outcome.text().contains("elicitation"), "{}", outcome.text());
    assert_eq!(outcome.questions, []);
}

#[tokio::test(start_paused = true)]
async fn a_question_whose_client_goes_is_asked_where_the_result_is_waited_for() {
    let (server, probe) = server();
    let mut first = Session::open(&server, CoreTasks).await;
    let task = first.start_task("ask", json!({})).await;
    first.server_request().await;
    let mut second = Session::open(&server, CoreTasks).await;
    let waiting = second
        .start("tasks/result", json!({ "taskId": task["taskId"] }))
        .await;
    assert_eq!(second.get(&task).await["status"], "input_required");
    drop(first);
    let question = second.server_request().await;
    second
        .respond(&question["id"], accepted(json!({ "name": "Ada" })))
        .await;
    let result = second.response(&waiting).await.unwrap();
    assert_eq!(text(&result), "Hello, Ada!");
    assert_eq!((probe.started(), probe.passed()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn both_questions_of_a_task_are_asked_at_once() {
    let mut client = open().await;
    let task = client.start_task("ask_two", json!({})).await;
    let first = client.server_request().await;
    let second = client.server_request().await;
    assert_ne!(first["id"], second["id"]);
    for question in [second, first] {
        let count = question["params"]["message"] == "How many?";
        let content = if count {
            json!({ "count": 2 })
        } else {
            json!({ "name": "Ada" })
        };
        assert_eq!(
            client.get(&task).await["status"],
            "input_required",
            "one is still open"
        );
        client.respond(&question["id"], accepted(content)).await;
    }
    assert_eq!(
        text(&client.about("tasks/result", &task).await.unwrap()),
        "2 for Ada"
    );
}

#[tokio::test(start_paused = true)]
async fn one_task_that_is_never_answered_blocks_no_other() {
    let mut client = open().await;
    let stuck = client.start_task("ask", json!({})).await;
    client.server_request().await;
    for _ in 0..3 {
        assert_eq!(
            client.call("echo", json!({ "text": "x" })).await.text(),
            "x"
        );
    }
    let outcome = client.call("confirm", json!({})).reply_with(agree).await;
    assert_eq!(outcome.text(), "deployed");
    assert_eq!(client.get(&stuck).await["status"], "input_required");
}

#[tokio::test(start_paused = true)]
async fn a_panic_after_an_answer_fails_the_task() {
    let mut client = open().await;
    let outcome = client
        .call("boom_late", json!({}))
        .accept(json!({ "name": "Ada" }))
        .await;
    assert_eq!(outcome.error().code, -32603);
    assert_eq!(
        client.call("echo", json!({ "text": "alive" })).await.text(),
        "alive"
    );
}

#[tokio::test(start_paused = true)]
async fn a_question_whose_client_is_gone_is_asked_again_on_the_next_wait() {
    let (server, _) = server();
    let mut first = Session::open(&server, CoreTasks).await;
    let task = first.start_task("ask", json!({})).await;
    let lost = first.server_request().await;
    drop(first);
    tokio::time::sleep(Duration::from_secs(1)).await;

    let mut second = Session::open(&server, CoreTasks).await;
    let now = second.get(&task).await;
    assert_eq!(now["status"], "input_required", "{now}");
    let waiting = second
        .start("tasks/result", json!({ "taskId": task["taskId"] }))
        .await;
    let again = second.server_request().await;
    assert_eq!(again["params"]["message"], lost["params"]["message"]);
    second
        .respond(&again["id"], accepted(json!({ "name": "Ada" })))
        .await;
    assert_eq!(
        text(&second.response(&waiting).await.unwrap()),
        "Hello, Ada!"
    );
}

#[tokio::test(start_paused = true)]
async fn nothing_of_one_question_reaches_another_request() {
    let mut client = open().await;
    let task = client.start_task("ask", json!({})).await;
    let question = client.server_request().await;
    let id = question["id"].clone();
    client
        .respond(&json!("not-the-id"), json!({ "action": "decline" }))
        .await;
    assert_eq!(client.get(&task).await["status"], "input_required");
    client.respond(&id, json!({ "action": "decline" })).await;
    // A second response to one request is ignored.
    client
        .respond(&id, accepted(json!({ "name": "Eve" })))
        .await;
    assert_eq!(
        text(&client.about("tasks/result", &task).await.unwrap()),
        "declined"
    );
    assert_eq!(client.surprises().await, Vec::<Value>::new());
}
