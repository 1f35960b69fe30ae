//! Tasks of the SEP-1686 draft and stores that fail, hang or take their time: the call's own response comes, or is
//! rightly withheld, whatever becomes of the record.

use std::time::Duration;

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, FaultyStore, StoreCall, TaskStatus, tables};
use serde_json::{Value, json};
use tests::session::{Session, text};
use tests::stores::RemoteStore;
use tests::tools::{Probe, ask, echo, hold, nap};

use ClientKind::V2025_06_18;

fn faulty() -> (Server, FaultyStore, Probe) {
    let (store, probe) = (FaultyStore::default(), Probe::default());
    let server = Server::new("faulty")
        .tools(tools![echo, nap, ask, hold])
        .state(probe.clone())
        .store(store.clone());
    (server, store, probe)
}

/// Starts a call that is to be the task `t`.
async fn start(client: &mut Session, tool: &str, arguments: Value) -> Value {
    let meta = json!({ "modelcontextprotocol.io/task": { "taskId": "t" } });
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    client.start("tools/call", params).await
}

async fn status(client: &mut Session) -> Value {
    let task = client.request("tasks/get", json!({ "taskId": "t" })).await;
    task.map_or_else(
        |error| json!(error.message),
        |mut task| task["status"].take(),
    )
}

async fn nothing_is_left(mut client: Session, server: &Server) {
    assert!(client.finish().await.is_ok());
    drop(client);
    tokio::time::sleep(Duration::from_secs(3600)).await;
    let left = tables(server);
    let counts = (
        left.live_tasks,
        left.kept_tasks,
        left.task_runs,
        left.watches,
    );
    assert_eq!(counts, (0, 0, 0, 0), "{left:?}");
    assert_eq!(
        (left.requests, left.questions, left.counted),
        (0, 0, 0),
        "{left:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_is_answered_whatever_the_store_does_not_take() {
    for (status_lost, answer, ended) in [
        (TaskStatus::Working, Err(-32603), "failed"),
        (TaskStatus::Completed, Ok("rested"), "failed"),
    ] {
        let (server, store, _) = faulty();
        let mut client = Session::open(&server, V2025_06_18).await;
        store.fail(usize::MAX, move |call| call == StoreCall::Swap(status_lost));
        let id = start(&mut client, "nap", json!({ "millis": 100 })).await;
        let response = client.response(&id).await;
        let told = response.as_ref().map(text).map_err(|error| error.code);
        assert_eq!(told, answer, "{status_lost:?}");
        assert_eq!(status(&mut client).await, ended, "{status_lost:?}");
        store.recover();
        nothing_is_left(client, &server).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_task_cannot_be_made_gets_an_error_and_leaves_its_id_free() {
    let (server, store, probe) = faulty();
    let mut client = Session::open(&server, V2025_06_18).await;
    store.fail(1, |call| call == StoreCall::Insert);
    let id = start(&mut client, "nap", json!({ "millis": 1 })).await;
    assert_eq!(client.response(&id).await.unwrap_err().code, -32603);
    assert_eq!(probe.started(), 0);
    let id = start(&mut client, "nap", json!({ "millis": 1 })).await;
    assert_eq!(text(&client.response(&id).await.unwrap()), "rested");
    nothing_is_left(client, &server).await;
}

#[tokio::test(start_paused = true)]
async fn a_call_is_answered_though_the_store_hangs_at_its_end() {
    let (server, store, _) = faulty();
    let mut client = Session::open(&server, V2025_06_18).await;
    let id = start(&mut client, "nap", json!({ "millis": 1_000 })).await;
    client.notification("notifications/tasks/created").await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    store.hang();
    assert_eq!(text(&client.response(&id).await.unwrap()), "rested");
    store.recover();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(status(&mut client).await, "completed");
    nothing_is_left(client, &server).await;
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_gets_no_response_though_the_store_hangs() {
    for from_the_start in [true, false] {
        let (server, store, _) = faulty();
        let mut client = Session::open(&server, V2025_06_18).await;
        if from_the_start {
            store.hang();
        }
        let id = start(&mut client, "hold", json!({})).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        store.hang();
        client
            .notify("notifications/cancelled", json!({ "requestId": id }))
            .await;
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert_eq!(tables(&server).requests, 0);
        store.recover();
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert_eq!(status(&mut client).await, "cancelled", "{from_the_start}");
        let said = client.leftovers().await;
        assert!(said.iter().all(|message| message["id"] != id), "{said:?}");
        nothing_is_left(client, &server).await;
    }
}

/// A server whose store tells late of what it has done.
fn remote() -> (Server, RemoteStore) {
    let store = RemoteStore::default();
    let server = Server::new("remote")
        .tools(tools![echo, hold])
        .state(Probe::default())
        .store(store.clone());
    (server, store)
}

#[tokio::test(start_paused = true)]
async fn a_deletion_is_answered_though_the_id_is_a_new_task_s_by_then() {
    let (server, store) = remote();
    let mut client = Session::open(&server, V2025_06_18).await;
    let id = start(&mut client, "echo", json!({ "text": "x" })).await;
    client.response(&id).await.unwrap();
    // It looks the task up, deletes it, and looks whether it is gone.
    store.delay_read_after(2, Duration::from_secs(1));
    let delete = client.start("tasks/delete", json!({ "taskId": "t" })).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    start(&mut client, "hold", json!({})).await;
    client.response(&delete).await.unwrap();
    assert_eq!(status(&mut client).await, "working");
}

#[tokio::test(start_paused = true)]
async fn a_run_that_ends_late_leaves_the_next_of_its_id_alone() {
    let (server, store) = remote();
    let mut client = Session::open(&server, V2025_06_18).await;
    store.delay_change(TaskStatus::Completed, Duration::from_secs(1));
    let late = start(&mut client, "echo", json!({ "text": "x" })).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(status(&mut client).await, "completed");
    client
        .request("tasks/delete", json!({ "taskId": "t" }))
        .await
        .unwrap();
    start(&mut client, "hold", json!({})).await;
    client.response(&late).await.unwrap();
    assert_eq!(status(&mut client).await, "working");
    assert_eq!(tables(&server).task_runs, 1);
}

#[tokio::test(start_paused = true)]
async fn a_cancellation_that_is_written_down_late_leaves_the_next_task_of_the_id_alone() {
    let (server, store) = remote();
    let mut client = Session::open(&server, V2025_06_18).await;
    let id = start(&mut client, "hold", json!({})).await;
    client.notification("notifications/tasks/created").await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    store.delay_read_after(0, Duration::from_secs(1));
    client
        .notify("notifications/cancelled", json!({ "requestId": id }))
        .await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    while client
        .request("tasks/delete", json!({ "taskId": "t" }))
        .await
        .is_err()
    {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    start(&mut client, "hold", json!({})).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(status(&mut client).await, "working");
}

#[tokio::test(start_paused = true)]
async fn an_id_is_taken_until_its_deletion_is_through() {
    let (server, ..) = faulty();
    let mut client = Session::open(&server, V2025_06_18).await;
    let id = start(&mut client, "echo", json!({ "text": "x" })).await;
    client.response(&id).await.unwrap();
    let delete = client.start("tasks/delete", json!({ "taskId": "t" })).await;
    let early = start(&mut client, "echo", json!({ "text": "y" })).await;
    client.response(&delete).await.unwrap();
    let early = client.response(&early).await.unwrap_err();
    assert_eq!(early.message, "Task ID already exists: t");
    let id = start(&mut client, "echo", json!({ "text": "z" })).await;
    assert_eq!(text(&client.response(&id).await.unwrap()), "z");
    nothing_is_left(client, &server).await;
}
