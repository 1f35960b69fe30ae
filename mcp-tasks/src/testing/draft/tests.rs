use std::time::Duration;

use serde_json::json;

use crate::testing::{Client, ClientKind, End, every_client};
use crate::{Context, Server, ToolError, mcp_tool, tools};

/// Greets whoever says their name.
#[mcp_tool(crate = crate, task)]
async fn greet(ctx: Context) -> Result<String, ToolError> {
    ctx.progress(1, 2, "asking");
    if !ctx.confirm("Is it you?").await? {
        return Err("a stranger".into());
    }
    Ok("Hello!".to_owned())
}

/// Never ends by itself.
#[mcp_tool(crate = crate, task)]
async fn wait(ctx: Context) -> String {
    ctx.progress(1, 2, "half way");
    std::future::pending().await
}

/// No task.
#[mcp_tool(crate = crate)]
async fn add(a: i32, b: i32) -> i32 {
    a + b
}

/// Refuses.
#[mcp_tool(crate = crate, task)]
async fn refuse() -> Result<String, ToolError> {
    Err(ToolError::protocol(
        crate::ErrorCode::new(-32602).expect("a code"),
        "not today",
    ))
}

async fn connected() -> Client {
    let server = Server::new("draft").tools(tools![crate = crate; greet, wait, add, refuse]);
    Client::connect(&server, ClientKind::Draft).await
}

#[tokio::test(start_paused = true)]
async fn a_call_is_a_task_beside_its_response() {
    let mut client = connected().await;
    let call = client.call("greet", json!({})).ttl(60_000);
    let outcome = call.accept(json!({ "confirm": true })).await;
    assert_eq!(outcome.text(), "Hello!");
    assert_eq!(outcome.questions.len(), 1);
    assert!(outcome.reported("asking"));
    assert_eq!(outcome.statuses, ["completed"]);
    let task = outcome.task.as_ref().expect("a task");
    assert_eq!(task["keepAlive"], 60_000);

    let declined = client.call("greet", json!({})).decline().await;
    assert!(declined.is_error());
    assert_eq!(declined.statuses, ["completed"]);
}

#[tokio::test(start_paused = true)]
async fn it_is_cancelled_by_its_request() {
    let mut client = connected().await;
    for outcome in [
        client.call("wait", json!({})).cancel_at("half way").await,
        client
            .call("wait", json!({}))
            .cancel_after(Duration::from_secs(60))
            .await,
    ] {
        assert_eq!(outcome.end, End::Cancelled);
        assert!(outcome.was_cancelled());
        assert_eq!(outcome.statuses, ["cancelled"]);
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_is_the_response_and_the_task_has_failed() {
    let mut client = connected().await;
    let outcome = client.call("refuse", json!({})).await;
    assert_eq!(outcome.error().code, -32602);
    assert_eq!(outcome.statuses, ["failed"]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_no_task_answers_as_ever() {
    let mut client = connected().await;
    let outcome = client.call("add", json!({ "a": 1, "b": 2 })).await;
    assert_eq!(outcome.text(), "3");
    assert_eq!((outcome.task, outcome.statuses.len()), (None, 0));
}

#[test]
fn a_test_of_every_client_has_no_draft() {
    assert!(every_client().all(|kind| kind != ClientKind::Draft));
}
