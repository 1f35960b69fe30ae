//! A task store that fails: the caller is told, and no task is left hanging.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, FaultyStore, StoreCall, TaskStatus};
use serde_json::{Value, json};
use tests::session::{Session, TASK_CLIENTS, text};
use tests::tools::{Probe, ask, echo, nap};

use ClientKind::{CoreTasks, TasksExtension};

fn server() -> (Server, FaultyStore, Probe) {
    let (store, probe) = (FaultyStore::default(), Probe::default());
    let server = Server::new("faulty")
        .tools(tools![echo, nap, ask])
        .state(probe.clone())
        .store(store.clone());
    (server, store, probe)
}

fn assert_nothing_leaked(client: &Session) {
    let said = format!("{:?}", client.transcript());
    assert!(!said.contains("told to fail"), "{said}");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_cannot_be_stored_is_not_made_and_its_body_never_starts() {
    for kind in TASK_CLIENTS {
        let (server, store, probe) = server();
        let mut client = Session::open(&server, kind).await;
        store.fail(1, |call| call == StoreCall::Insert);
        let id = client.start_call("nap", json!({ "millis": 1 })).await;
        let error = client.response(&id).await.unwrap_err();
        assert_eq!(error.code, -32603, "{kind}");
        assert_eq!(error.message, "the task store failed", "{kind}");
        assert_eq!(probe.started(), 0, "{kind}");
        assert_nothing_leaked(&client);
        assert_eq!(
            client.call("nap", json!({ "millis": 1 })).await.text(),
            "rested",
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_cannot_be_read_is_an_internal_error() {
    for (kind, methods) in [
        (
            TasksExtension,
            ["tasks/get", "tasks/cancel", "tasks/update"],
        ),
        (CoreTasks, ["tasks/get", "tasks/cancel", "tasks/result"]),
    ] {
        let (server, store, _) = server();
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("nap", json!({ "millis": 5_000 })).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        for method in methods {
            store.fail(1, |call| call == StoreCall::Get);
            let params = json!({ "taskId": task["taskId"], "inputResponses": {} });
            let error = client.request(method, params).await.unwrap_err();
            assert_eq!(error.code, -32603, "{kind}: {method}");
        }
        if kind == CoreTasks {
            store.fail(1, |call| call == StoreCall::List);
            let error = client.request("tasks/list", Value::Null).await.unwrap_err();
            assert_eq!(error.code, -32603, "{kind}");
        }
        assert_nothing_leaked(&client);
        client.get_until(&task, "completed").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_outlasts_a_store_that_is_away_for_a_moment() {
    for kind in TASK_CLIENTS {
        let (server, store, _) = server();
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("nap", json!({ "millis": 100 })).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        store.fail(2, |call| matches!(call, StoreCall::Swap(_)));
        client.get_until(&task, "completed").await;
        assert_eq!(store.failed(), 2, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_that_the_store_never_takes_fails_the_task() {
    for kind in TASK_CLIENTS {
        let (server, store, _) = server();
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("nap", json!({ "millis": 100 })).await;
        store.fail(usize::MAX, |call| {
            call == StoreCall::Swap(TaskStatus::Completed)
        });
        let ended = client.get_until(&task, "failed").await;
        assert_eq!(
            ended["statusMessage"], "the task store failed",
            "{kind}: {ended}"
        );
        if kind == CoreTasks {
            let error = client.about("tasks/result", &task).await.unwrap_err();
            assert_eq!(error.code, -32603, "{error}");
        } else {
            assert_eq!(ended["error"]["code"], -32603, "{ended}");
        }
        assert_nothing_leaked(&client);
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_start_the_store_never_takes_fails_and_its_body_never_starts() {
    for kind in TASK_CLIENTS {
        let (server, store, probe) = server();
        let mut client = Session::open(&server, kind).await;
        store.fail(usize::MAX, |call| {
            call == StoreCall::Swap(TaskStatus::Working)
        });
        let task = client.start_task("nap", json!({ "millis": 100 })).await;
        let ended = client.get_until(&task, "failed").await;
        assert_eq!(
            ended["statusMessage"], "the task store failed",
            "{kind}: {ended}"
        );
        assert_eq!(probe.started(), 0, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_starts_once_its_store_is_back() {
    for kind in TASK_CLIENTS {
        let (server, store, _) = server();
        let mut client = Session::open(&server, kind).await;
        store.fail(2, |call| matches!(call, StoreCall::Swap(_)));
        let outcome = client.call("nap", json!({ "millis": 100 })).await;
        assert_eq!(outcome.text(), "rested", "{kind}");
        assert_eq!(store.failed(), 2, "{kind}");
    }
}

/// The change was announced once: whoever could not read it then has to look again.
#[tokio::test(start_paused = true)]
async fn an_answer_reaches_a_body_whose_store_was_away_when_it_came() {
    let (server, store, _) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    let task = client.start_task("ask", json!({})).await;
    client.get_until(&task, "input_required").await;
    // The update reads the record twice; the next to read it is the runner.
    let mut reads = 0;
    store.fail(1, move |call| {
        reads += usize::from(call == StoreCall::Get);
        reads == 3
    });
    let answer = json!({ "action": "accept", "content": { "name": "Ada" } });
    client
        .update(&task, json!({ "name": answer }))
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(store.failed(), 1);
    let ended = client.get_until(&task, "completed").await;
    assert_eq!(text(&ended["result"]), "Hello, Ada!");
}

#[tokio::test(start_paused = true)]
async fn a_subscription_outlasts_a_store_that_is_away_for_a_moment() {
    let (server, store, _) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    let task = client.start_task("nap", json!({ "millis": 5_000 })).await;
    let filter = json!({ "notifications": { "taskIds": [task["taskId"]] } });
    client.start("subscriptions/listen", filter).await;
    client.notification("notifications/tasks").await;
    tokio::time::sleep(Duration::from_millis(4_950)).await;
    store.fail(1, |call| call == StoreCall::Get);
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(store.failed(), 1);
    let told = client.leftovers().await;
    let last = told.last().map(|message| &message["params"]["status"]);
    assert_eq!(last, Some(&json!("completed")), "{told:?}");
}
