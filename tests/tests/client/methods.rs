//! What a client can ask for beside calls, of this crate's own server.

use mcp_tasks::client::{Client, ClientError, Reference, Status, TaskSupport, Wire};
use serde_json::{Value, json};
use tests::tools::server;

async fn connected(wire: Wire) -> Client {
    let (server, _) = server();
    let client = Client::builder().wire(wire);
    client.connect(&server).await.expect("a connection")
}

#[tokio::test(start_paused = true)]
async fn tools_are_listed_with_what_they_say_of_themselves() {
    let client = connected(Wire::V2025_11_25).await;
    let tools = client.list_tools().await.expect("a list");
    let named = |name: &str| {
        tools
            .iter()
            .find(|tool| tool.name() == name)
            .expect("listed")
    };
    assert_eq!(named("add").description(), Some("Adds two numbers."));
    assert_eq!(named("add").input_schema()["required"], json!(["a", "b"]));
    assert_eq!(named("add").task_support(), TaskSupport::Never);
    assert_eq!(named("nap").task_support(), TaskSupport::Optional);
    assert_eq!(named("export").task_support(), TaskSupport::Required);
}

#[tokio::test(start_paused = true)]
async fn a_task_is_got_listed_cancelled_and_fetched_by_its_id() {
    let client = connected(Wire::V2025_11_25).await;
    let call = client
        .begin_call_tool("nap", json!({ "millis": 10_000 }))
        .await
        .expect("a call");
    let id = call.task_id().await.expect("a task");
    assert_eq!(
        client.get_task(&id).await.expect("a task").status,
        Status::Working
    );
    let page = client.list_tasks(None).await.expect("a list");
    assert_eq!(
        page.tasks.iter().map(|task| &task.id).collect::<Vec<_>>(),
        [&id]
    );
    assert_eq!(page.next, None);
    assert_eq!(
        client.task_result(&id).await.expect("a result").text(),
        "rested"
    );

    let call = client
        .begin_call_tool("nap", json!({ "millis": 10_000 }))
        .await
        .expect("a call");
    let id = call.task_id().await.expect("a task");
    client.cancel_task(&id).await.expect("a cancellation");
    let result = call.result().await;
    assert!(
        matches!(result, Err(ClientError::Cancelled { .. })),
        "{result:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_result_that_is_given_up_leaves_the_task_alone() {
    let client = connected(Wire::V2026_07_28).await;
    let call = client
        .begin_call_tool("nap", json!({ "millis": 10_000 }))
        .await
        .expect("a call");
    let id = call.task_id().await.expect("a task");
    let second = std::time::Duration::from_secs(1);
    assert!(
        tokio::time::timeout(second, client.task_result(&id))
            .await
            .is_err()
    );
    assert_eq!(call.result().await.expect("a result").text(), "rested");
}

#[tokio::test(start_paused = true)]
async fn what_a_wire_does_not_have_is_refused_before_it_is_sent() {
    let client = connected(Wire::V2026_07_28).await;
    let id = "t".to_owned();
    let listed = client.list_tasks(None).await;
    assert!(
        matches!(listed, Err(ClientError::Unsupported(_))),
        "{listed:?}"
    );
    let deleted = client.delete_task(&mcp_tasks::TaskId::new(id)).await;
    assert!(
        matches!(deleted, Err(ClientError::Unsupported(_))),
        "{deleted:?}"
    );
    let resumed = client.resume(Reference::new("t", Wire::V2025_11_25)).await;
    let error = resumed.expect_err("another wire").to_string();
    assert!(
        error.contains("2025-11-25") && error.contains("2026-07-28"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn any_method_can_be_asked_for() {
    let client = connected(Wire::V2025_06_18).await;
    assert!(
        client
            .request("ping", Value::Null)
            .await
            .expect("a pong")
            .is_empty()
    );
    let error = client
        .request("prompts/list", Value::Null)
        .await
        .expect_err("no prompts");
    assert_eq!(error.rpc().map(|rpc| rpc.code), Some(-32601));
}

#[tokio::test(start_paused = true)]
async fn progress_reaches_the_caller_of_a_plain_call() {
    let client = connected(Wire::V2025_06_18).await;
    let (told, mut steps) = tokio::sync::mpsc::unbounded_channel();
    let call = client
        .begin_call_tool("steps", Value::Null)
        .on_progress(move |progress| {
            told.send(progress.done).expect("somebody counts");
        });
    call.await
        .expect("a call")
        .result()
        .await
        .expect("a result");
    let mut done = Vec::new();
    while let Ok(step) = steps.try_recv() {
        done.push(step);
    }
    assert_eq!(done, [1.0, 2.0, 3.0]);
}

#[tokio::test]
async fn a_server_that_cannot_start_says_why() {
    let server = mcp_tasks::Server::new("no state").tools(mcp_tasks::tools![tests::tools::nap]);
    let error = Client::connect(&server).await.expect_err("no connection");
    assert!(error.to_string().contains("Probe"), "{error}");
}
