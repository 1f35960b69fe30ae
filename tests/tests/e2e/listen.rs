//! `subscriptions/listen`: news of tasks without polling.

use std::time::Duration;

use mcp_tasks::testing::ClientKind;
use serde_json::{Value, json};
use tests::session::{SUBSCRIPTION_ID, Session, accepted, text};
use tests::tools::server;

use ClientKind::{TasksExtension, V2026_07_28};

async fn listen(client: &mut Session, tasks: &[&Value]) -> Value {
    let ids: Vec<&Value> = tasks.iter().map(|task| &task["taskId"]).collect();
    client
        .start(
            "subscriptions/listen",
            json!({ "notifications": { "taskIds": ids } }),
        )
        .await
}

async fn acknowledged(client: &mut Session, id: &Value) -> Value {
    let ack = client.recv().await;
    assert_eq!(
        ack["method"], "notifications/subscriptions/acknowledged",
        "first of all: {ack}"
    );
    assert_eq!(&ack["params"]["_meta"][SUBSCRIPTION_ID], id);
    ack["params"]["notifications"].clone()
}

/// The next news of a task on the subscription `id`.
async fn news(client: &mut Session, id: &Value) -> Value {
    let message = client.notification("notifications/tasks").await;
    assert_eq!(&message["params"]["_meta"][SUBSCRIPTION_ID], id);
    message["params"].clone()
}

#[tokio::test(start_paused = true)]
async fn a_subscription_is_acknowledged_and_starts_with_the_present_state() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let task = client.start_task("nap", json!({ "millis": 5_000 })).await;
    client.get_until(&task, "working").await;
    let id = listen(&mut client, &[&task]).await;
    let agreed = acknowledged(&mut client, &id).await;
    assert_eq!(agreed["taskIds"], json!([task["taskId"]]));
    let present = news(&mut client, &id).await;
    assert_eq!(present["taskId"], task["taskId"]);
    assert_eq!(present["status"], "working");
    assert_eq!(client.try_recv(Duration::from_secs(1)).await, None, "once");
    let end = news(&mut client, &id).await;
    assert_eq!(end["status"], "completed");
    assert_eq!(text(&end["result"]), "rested");
    assert!(
        end["createdAt"].is_string() && end["ttlMs"].is_u64(),
        "{end}"
    );
}

#[tokio::test(start_paused = true)]
async fn each_change_is_told() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let task = client.start_task("ask", json!({})).await;
    client.get_until(&task, "input_required").await;
    let id = listen(&mut client, &[&task]).await;
    acknowledged(&mut client, &id).await;
    let asked = news(&mut client, &id).await;
    assert_eq!(asked["status"], "input_required");
    assert_eq!(
        asked["inputRequests"]["name"]["method"],
        "elicitation/create"
    );
    client
        .update(&task, json!({ "name": accepted(json!({ "name": "Ada" })) }))
        .await
        .unwrap();
    let mut told = news(&mut client, &id).await;
    if told["status"] == "working" {
        told = news(&mut client, &id).await;
    }
    assert_eq!(told["status"], "completed");
    assert_eq!(text(&told["result"]), "Hello, Ada!");
}

#[tokio::test(start_paused = true)]
async fn an_ended_task_is_told_once() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let task = client.start_task("echo", json!({ "text": "x" })).await;
    client.get_until(&task, "completed").await;
    let id = listen(&mut client, &[&task]).await;
    acknowledged(&mut client, &id).await;
    assert_eq!(news(&mut client, &id).await["status"], "completed");
    assert_eq!(client.leftovers().await, Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn unknown_tasks_are_left_out() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let task = client.start_task("echo", json!({ "text": "x" })).await;
    let id = listen(&mut client, &[&json!({ "taskId": "bogus" }), &task]).await;
    let agreed = acknowledged(&mut client, &id).await;
    assert_eq!(agreed["taskIds"], json!([task["taskId"]]));
}

#[tokio::test(start_paused = true)]
async fn what_is_not_served_is_not_agreed_to() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let filter = json!({ "promptsListChanged": true, "resourceSubscriptions": ["file:///x"] });
    let id = client
        .start("subscriptions/listen", json!({ "notifications": filter }))
        .await;
    let agreed = acknowledged(&mut client, &id).await;
    assert!(agreed.get("promptsListChanged").is_none(), "{agreed}");
    assert!(agreed.get("resourceSubscriptions").is_none(), "{agreed}");
}

#[tokio::test(start_paused = true)]
async fn a_subscription_ends_when_it_is_cancelled() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let task = client.start_task("nap", json!({ "millis": 5_000 })).await;
    let id = listen(&mut client, &[&task]).await;
    acknowledged(&mut client, &id).await;
    client
        .notify("notifications/cancelled", json!({ "requestId": id }))
        .await;
    client.leftovers().await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(
        client.leftovers().await,
        Vec::<Value>::new(),
        "nothing more"
    );
    assert_eq!(
        client.get(&task).await["status"],
        "completed",
        "the task went on"
    );
}

#[tokio::test(start_paused = true)]
async fn two_subscriptions_are_told_apart() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let one = client.start_task("nap", json!({ "millis": 1_000 })).await;
    let two = client.start_task("nap", json!({ "millis": 2_000 })).await;
    let first = listen(&mut client, &[&one]).await;
    let second = listen(&mut client, &[&one, &two]).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    let heard = client.leftovers().await;
    let ends = |subscription: &Value| -> Vec<&Value> {
        let of_it = heard.iter().filter(|message| {
            message["method"] == "notifications/tasks"
                && message["params"]["_meta"][SUBSCRIPTION_ID] == *subscription
                && message["params"]["status"] == "completed"
        });
        of_it.map(|message| &message["params"]["taskId"]).collect()
    };
    assert_eq!(ends(&first), [&one["taskId"]]);
    assert_eq!(ends(&second), [&one["taskId"], &two["taskId"]]);
}

#[tokio::test(start_paused = true)]
async fn a_subscription_id_keeps_its_json_type() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let task = client.start_task("echo", json!({ "text": "x" })).await;
    let numeric = listen(&mut client, &[&task]).await;
    acknowledged(&mut client, &numeric).await;
    let mut request = client
        .transcript()
        .iter()
        .rev()
        .find(|(_, message)| message["method"] == "subscriptions/listen");
    let mut request = request.take().expect("the request").1.clone();
    client.leftovers().await;
    request["id"] = json!("news");
    client.send(request).await;
    acknowledged(&mut client, &json!("news")).await;
}

#[tokio::test(start_paused = true)]
async fn who_did_not_declare_tasks_cannot_listen_to_them() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let id = listen(&mut client, &[&json!({ "taskId": "bogus" })]).await;
    let error = client.response(&id).await.unwrap_err();
    assert_eq!(error.code, -32021);
    let required = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    assert_eq!(
        error.data,
        Some(json!({ "requiredCapabilities": required }))
    );
    let id = client
        .start("subscriptions/listen", json!({ "notifications": {} }))
        .await;
    acknowledged(&mut client, &id).await;
}

#[tokio::test(start_paused = true)]
async fn a_filter_that_is_none_is_refused() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    for params in [
        json!({ "notifications": 7 }),
        json!({ "notifications": { "taskIds": "x" } }),
    ] {
        let error = client
            .request("subscriptions/listen", params)
            .await
            .unwrap_err();
        assert_eq!(error.code, -32602);
    }
}

#[tokio::test(start_paused = true)]
async fn no_progress_or_log_travels_on_a_subscription() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let mut params = json!({ "name": "chatty", "arguments": {} });
    params["_meta"] = json!({ "progressToken": "p", tests::session::LOG_LEVEL: "debug" });
    let task = client.request("tools/call", params).await.unwrap();
    let id = listen(&mut client, &[&task]).await;
    acknowledged(&mut client, &id).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let heard = client.leftovers().await;
    assert!(
        heard
            .iter()
            .all(|message| message["method"] == "notifications/tasks"),
        "{heard:?}"
    );
}
