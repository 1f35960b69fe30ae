//! Questions of a 2026-07-28 task: `inputRequests` in `tasks/get`, answers by `tasks/update`.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{Client, ClientKind, Question, Reply};
use serde_json::{Value, json};
use tests::session::{CLIENT_CAPABILITIES, Session, accepted, agree, text};
use tests::tools::{Name, server};

use ClientKind::TasksExtension;

async fn open() -> Session {
    Session::open(&server().0, TasksExtension).await
}

fn keys(task: &Value) -> Vec<&str> {
    task["inputRequests"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, _)| key.as_str())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_question_shows_as_an_input_request() {
    let mut client = open().await;
    let task = client.start_task("ask", json!({})).await;
    let now = client.get_until(&task, "input_required").await;
    assert_eq!(keys(&now), ["name"]);
    let request = &now["inputRequests"]["name"];
    assert_eq!(request["method"], "elicitation/create");
    assert_eq!(request["params"]["message"], "What is your name?");
    let schema = &request["params"]["requestedSchema"];
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["properties"]["name"]["type"], "string");
    assert_eq!(schema["required"], json!(["name"]));
    assert!(
        request.get("id").is_none() && request.get("jsonrpc").is_none(),
        "{request}"
    );
    assert!(now.get("requestState").is_none(), "{now}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_acknowledged_and_the_body_goes_on_once() {
    let (server, probe) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    let task = client.start_task("ask", json!({})).await;
    client.get_until(&task, "input_required").await;
    let ack = client
        .update(&task, json!({ "name": accepted(json!({ "name": "Ada" })) }))
        .await
        .unwrap();
    assert_eq!(ack["resultType"], "complete");
    assert!(
        ack.get("taskId").is_none() && ack.get("status").is_none(),
        "{ack}"
    );
    let now = client.get_until(&task, "completed").await;
    assert_eq!(text(&now["result"]), "Hello, Ada!");
    assert_eq!(
        (probe.started(), probe.passed(), probe.dropped()),
        (1, 1, 1)
    );
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
        let mut client = Session::open(&server, TasksExtension).await;
        let outcome = client.call("ask", json!({})).reply(reply).await;
        assert_eq!(outcome.text(), expected);
        assert_eq!(outcome.refused, []);
        assert!(
            outcome.statuses.contains(&"input_required".to_owned()),
            "{:?}",
            outcome.statuses
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_does_not_fit_is_refused_and_the_question_stays() {
    let mut client = open().await;
    let task = client.start_task("ask", json!({})).await;
    let asked = client.get_until(&task, "input_required").await;
    for wrong in [
        json!({ "action": "accept", "content": { "wrong": 1 } }),
        json!({ "action": "accept", "content": { "name": 1 } }),
        json!({ "action": "accept", "content": "Ada" }),
        json!({ "action": "accept" }),
        json!({ "action": "maybe" }),
        json!("Ada"),
        json!(null),
    ] {
        let error = client
            .update(&task, json!({ "name": wrong }))
            .await
            .unwrap_err();
        assert_eq!(error.code, -32602, "{wrong}");
        let now = client.get(&task).await;
        assert_eq!(now["status"], "input_required", "{wrong}");
        assert_eq!(now["inputRequests"], asked["inputRequests"], "{wrong}");
    }
    client
        .update(&task, json!({ "name": accepted(json!({ "name": "Ada" })) }))
        .await
        .unwrap();
    client.get_until(&task, "completed").await;
}

#[tokio::test(start_paused = true)]
async fn a_value_out_of_bounds_is_refused() {
    let mut client = open().await;
    let task = client.start_task("ask_two", json!({})).await;
    client.get_until(&task, "input_required").await;
    for count in [json!(0), json!(10), json!(1.5), json!("3")] {
        let refused = client
            .update(
                &task,
                json!({ "count": accepted(json!({ "count": count })) }),
            )
            .await;
        assert_eq!(refused.unwrap_err().code, -32602, "{count}");
    }
}

#[tokio::test(start_paused = true)]
async fn keys_that_are_not_open_are_ignored() {
    let mut client = open().await;
    let task = client.start_task("ask", json!({})).await;
    let asked = client.get_until(&task, "input_required").await;
    for other in [
        json!({}),
        json!({ "k2": accepted(json!({ "name": "Eve" })) }),
        json!({ "k3": 7 }),
    ] {
        let ack = client.update(&task, other).await.unwrap();
        assert_eq!(ack["resultType"], "complete");
        assert_eq!(
            client.get(&task).await["inputRequests"],
            asked["inputRequests"]
        );
    }
    let both = json!({ "k2": { "action": "decline" }, "name": accepted(json!({ "name": "Ada" })) });
    client.update(&task, both).await.unwrap();
    assert_eq!(
        text(&client.get_until(&task, "completed").await["result"]),
        "Hello, Ada!"
    );
}

#[tokio::test(start_paused = true)]
async fn the_first_answer_to_a_key_wins() {
    let mut client = open().await;
    let task = client.start_task("ask", json!({})).await;
    client.get_until(&task, "input_required").await;
    let answer = |name: &str| json!({ "taskId": task["taskId"], "inputResponses": { "name": accepted(json!({ "name": name })) } });
    let first = client.start("tasks/update", answer("Ada")).await;
    let second = client.start("tasks/update", answer("Eve")).await;
    client.response(&first).await.unwrap();
    client.response(&second).await.unwrap();
    assert_eq!(
        text(&client.get_until(&task, "completed").await["result"]),
        "Hello, Ada!"
    );
    assert!(
        client
            .update(&task, json!({ "name": { "action": "decline" } }))
            .await
            .is_ok(),
        "ended: ignored"
    );
}

#[tokio::test(start_paused = true)]
async fn all_open_questions_are_listed_and_may_be_answered_one_by_one() {
    let mut client = open().await;
    let task = client.start_task("ask_two", json!({})).await;
    let now = client.get_until(&task, "input_required").await;
    let mut open = keys(&now);
    open.sort_unstable();
    assert_eq!(open, ["count", "name"]);
    client
        .update(&task, json!({ "count": accepted(json!({ "count": 3 })) }))
        .await
        .unwrap();
    let now = client.get(&task).await;
    assert_eq!(now["status"], "input_required");
    assert_eq!(keys(&now), ["name"]);
    client
        .update(&task, json!({ "name": accepted(json!({ "name": "Ada" })) }))
        .await
        .unwrap();
    let now = client.get_until(&task, "completed").await;
    assert_eq!(text(&now["result"]), "3 for Ada");
}

#[tokio::test(start_paused = true)]
async fn a_key_is_never_used_twice_in_a_task() {
    let mut client = open().await;
    let task = client.start_task("ask_in_turn", json!({})).await;
    let first = client.get_until(&task, "input_required").await;
    assert_eq!(keys(&first), ["name"]);
    client
        .update(&task, json!({ "name": accepted(json!({ "name": "Ada" })) }))
        .await
        .unwrap();
    let second = client.get_until(&task, "input_required").await;
    assert_eq!(keys(&second), ["name-2"]);
    assert_eq!(
        second["inputRequests"]["name-2"]["params"]["message"],
        "Second?"
    );
    client
        .update(
            &task,
            json!({ "name-2": accepted(json!({ "name": "Bob" })) }),
        )
        .await
        .unwrap();
    assert_eq!(
        text(&client.get_until(&task, "completed").await["result"]),
        "Ada and Bob"
    );
}

#[tokio::test(start_paused = true)]
async fn an_unanswered_question_ends_when_its_time_is_up() {
    let mut client = open().await;
    let outcome = client
        .call("ask_briefly", json!({}))
        .reply(Reply::Never)
        .await;
    assert_eq!(outcome.text(), "TimedOut");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_cannot_be_asked_is_not_asked() {
    let builder = Client::builder(TasksExtension).capabilities(json!({}));
    let mut client = Session::with(builder, &server().0).await;
    let outcome = client.call("ask", json!({})).await;
    let error = outcome.error();
    assert_eq!(error.code, -32021);
    let missing = json!({ "requiredCapabilities": { "elicitation": { "form": {} } } });
    assert_eq!(error.data, Some(missing));
    assert_eq!(outcome.questions, []);
    let handled = client.call("ask_briefly", json!({})).await;
    assert_eq!(handled.text(), "Unsupported(Elicitation)");
}

#[tokio::test(start_paused = true)]
async fn a_confirmation_is_yes_only_when_accepted() {
    let (server, _) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    let outcome = client.call("confirm", json!({})).reply_with(agree).await;
    assert_eq!(outcome.text(), "deployed");
    assert_eq!(outcome.questions[0].key.as_deref(), Some("confirm"));
    assert_eq!(outcome.questions[0].message(), "Deploy?");
    let no = |_: &Question| Reply::Decline;
    assert_eq!(
        client
            .call("confirm", json!({}))
            .reply_with(no)
            .await
            .text(),
        "not deployed"
    );
    assert_eq!(
        client.call("confirm", json!({})).dismiss().await.text(),
        "not deployed"
    );
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
async fn several_tasks_may_ask_at_once() {
    let mut client = open().await;
    let mut tasks = Vec::new();
    for _ in 0..3 {
        tasks.push(client.start_task("ask", json!({})).await);
    }
    for (index, task) in tasks.iter().enumerate().rev() {
        client.get_until(task, "input_required").await;
        let name = format!("n{index}");
        client
            .update(task, json!({ "name": accepted(json!({ "name": name })) }))
            .await
            .unwrap();
    }
    for (index, task) in tasks.iter().enumerate() {
        let now = client.get_until(task, "completed").await;
        assert_eq!(text(&now["result"]), format!("Hello, n{index}!"));
    }
}

/// Asks for two seconds, then works on for an hour.
#[mcp_tool(task)]
async fn impatient(ctx: Context) -> &'static str {
    let asked = ctx
        .elicit::<Name>("Anyone?")
        .key("anyone")
        .timeout(Duration::from_secs(2));
    let _ = asked.await;
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    "worked"
}

#[tokio::test(start_paused = true)]
async fn a_question_nobody_waits_for_any_more_is_not_shown() {
    let server = Server::new("impatient").tools(tools![impatient]);
    let mut client = Session::open(&server, TasksExtension).await;
    let task = client.start_task("impatient", json!({})).await;
    client.get_until(&task, "input_required").await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let now = client.get(&task).await;
    assert_eq!(now["status"], "working", "{now}");
    assert!(now.get("inputRequests").is_none(), "{now}");
    let late = json!({ "anyone": accepted(json!({ "name": "Ada" })) });
    client.update(&task, late).await.unwrap();
    assert_eq!(client.get(&task).await["status"], "working");
}

/// Which request's capabilities count is left open by the extension; the listing is the same for every poll.
#[tokio::test(start_paused = true)]
async fn the_capabilities_of_the_call_count_and_not_those_of_a_poll() {
    let mut client = open().await;
    let task = client.start_task("ask", json!({})).await;
    let asked = client.get_until(&task, "input_required").await;
    let tasks_alone = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    let params = json!({
        "taskId": task["taskId"], "_meta": { CLIENT_CAPABILITIES: tasks_alone },
    });
    let polled = client.request("tasks/get", params).await.unwrap();
    assert_eq!(polled["inputRequests"], asked["inputRequests"]);
}
