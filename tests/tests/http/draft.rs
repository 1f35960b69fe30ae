//! Tasks of the SEP-1686 draft over HTTP, where a session is what the header says it is.

use mcp_tasks::testing::tables;
use serde_json::{Value, json};
use tests::http::{LegacySession, Request, Site};
use tests::tools::server;

const RELATED: &str = "modelcontextprotocol.io/related-task";

fn call(session: &LegacySession<'_>, id: u64, tool: &str, arguments: &Value) -> Request {
    let meta = json!({ "modelcontextprotocol.io/task": { "taskId": "t" } });
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    session.request(id, "tools/call", &params)
}

async fn status(session: &LegacySession<'_>, id: u64) -> Value {
    let task = session
        .ask(id, "tasks/get", &json!({ "taskId": "t" }))
        .await;
    task["result"]["status"].clone()
}

#[tokio::test(start_paused = true)]
async fn the_call_s_own_stream_says_that_there_is_a_task_then_asks_then_answers() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-06-18").await;
    let mut stream = site.send(call(&session, 1, "ask", &json!({}))).await;
    let created = stream.message().await.expect("a notification");
    assert_eq!(created["method"], "notifications/tasks/created");
    let question = stream.message().await.expect("a question");
    assert_eq!(question["params"]["_meta"][RELATED]["taskId"], "t");
    assert_eq!(status(&session, 2).await, "input_required");
    let answer = json!({ "action": "accept", "content": { "name": "Ada" } });
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer });
    assert_eq!(site.send(session.post(&answer)).await.status, 202);
    let response = stream.message().await.expect("the response");
    assert_eq!(response["id"], 1);
    assert_eq!(response["result"]["content"][0]["text"], "Hello, Ada!");
    assert_eq!(response["result"]["_meta"][RELATED]["taskId"], "t");
    assert_eq!(status(&session, 3).await, "completed");
}

#[tokio::test(start_paused = true)]
async fn a_session_lists_its_own_tasks_without_authentication_and_reaches_no_other_s() {
    let site = Site::open(server().0);
    let ada = LegacySession::open(&site, "2025-11-25").await;
    let eve = LegacySession::open(&site, "2025-11-25").await;
    let early = ada.ask(1, "tasks/list", &json!({})).await;
    assert_eq!(early["error"]["code"], -32601, "it has not used the key");
    for session in [&ada, &eve] {
        let millis = json!({ "millis": 1_000 });
        let rested = site
            .send(call(session, 2, "nap", &millis))
            .await
            .last()
            .await;
        assert_eq!(rested["result"]["content"][0]["text"], "rested");
    }
    let deleted = eve.ask(3, "tasks/delete", &json!({ "taskId": "t" })).await;
    assert_eq!(deleted["result"]["_meta"][RELATED]["taskId"], "t");
    let list = eve.ask(4, "tasks/list", &json!({})).await;
    assert_eq!(list["result"]["tasks"], json!([]));
    let list = ada.ask(4, "tasks/list", &json!({})).await;
    assert_eq!(list["result"]["tasks"][0]["taskId"], "t");
    assert_eq!(status(&ada, 5).await, "completed");
}

#[tokio::test(start_paused = true)]
async fn a_broken_stream_leaves_the_task_running() {
    let (server, probe) = server();
    let site = Site::open(server);
    let session = LegacySession::open(&site, "2025-06-18").await;
    let millis = json!({ "millis": 60_000 });
    let mut stream = site.send(call(&session, 1, "nap", &millis)).await;
    stream.message().await.expect("a notification");
    drop(stream);
    tokio::time::sleep(std::time::Duration::from_secs(30)).await;
    assert_eq!(
        (status(&session, 2).await, probe.dropped()),
        (json!("working"), 0)
    );
    tokio::time::sleep(std::time::Duration::from_secs(31)).await;
    assert_eq!(status(&session, 3).await, "completed");
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_session_answers_the_calls_of_its_tasks_and_leaves_nothing() {
    for tool in ["hold", "ask", "wind_down"] {
        let (server, _) = server();
        let site = Site::open(server.clone());
        let session = LegacySession::open(&site, "2025-06-18").await;
        let mut stream = site.send(call(&session, 1, tool, &json!({}))).await;
        stream.message().await.expect("a notification");
        assert_eq!(site.send(session.delete()).await.status, 204, "{tool}");
        let told = stream.messages().await;
        let last = told.last().expect("a response");
        assert_eq!(
            (&last["id"], &last["error"]["code"]),
            (&json!(1), &json!(-32603)),
            "{tool}"
        );
        // Longer than it is kept.
        tokio::time::sleep(std::time::Duration::from_secs(3_600)).await;
        drop((stream, session));
        let left = tables(&server);
        assert_eq!(
            (left.live_tasks, left.kept_tasks, left.task_runs),
            (0, 0, 0),
            "{tool}"
        );
        assert_eq!(
            (left.watches, left.requests, left.questions),
            (0, 0, 0),
            "{tool}"
        );
        assert_eq!((left.connections, left.counted), (0, 0), "{tool}");
    }
}
