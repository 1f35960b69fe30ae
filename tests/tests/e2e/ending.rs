//! The end of the input: accepted work is answered, then the server ends.

use mcp_tasks::testing::{ClientKind, every_client};
use serde_json::{Value, json};
use tests::session::{Session, text};
use tests::tools::server;

use ClientKind::{CoreTasks, TasksExtension, V2025_11_25};

async fn calls(client: &mut Session, millis: u64) -> Vec<Value> {
    let mut ids = Vec::new();
    for _ in 0..5 {
        let params = json!({ "name": "wait", "arguments": { "millis": millis } });
        ids.push(client.start("tools/call", params).await);
    }
    ids
}

#[tokio::test(start_paused = true)]
async fn calls_that_end_soon_are_answered() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let ids = calls(&mut client, 300).await;
        assert!(client.finish().await.is_ok(), "{kind}");
        for id in ids {
            assert_eq!(
                text(&client.response(&id).await.unwrap()),
                "waited",
                "{kind}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn calls_that_take_too_long_are_answered_with_an_error() {
    let (server, probe) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let started = tokio::time::Instant::now();
        let ids = calls(&mut client, 3_600_000).await;
        assert!(client.finish().await.is_ok(), "{kind}");
        assert!(
            started.elapsed().as_secs() < 20,
            "{kind}: {:?}",
            started.elapsed()
        );
        for id in ids {
            let ended = client.response(&id).await;
            let refused = ended.as_ref().is_err()
                || ended.as_ref().is_ok_and(|result| result["isError"] == true);
            assert!(refused, "{kind}: {ended:?}");
        }
    }
    assert_eq!((probe.started(), probe.dropped()), (30, 30));
}

#[tokio::test(start_paused = true)]
async fn a_result_that_is_waited_for_is_given() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let task = client.start_task("nap", json!({ "millis": 300 })).await;
    let id = client
        .start("tasks/result", json!({ "taskId": task["taskId"] }))
        .await;
    assert!(client.finish().await.is_ok());
    assert_eq!(text(&client.response(&id).await.unwrap()), "rested");
}

#[tokio::test(start_paused = true)]
async fn a_result_that_takes_too_long_is_answered_all_the_same() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let task = client
        .start_task("nap", json!({ "millis": 3_600_000 }))
        .await;
    let id = client
        .start("tasks/result", json!({ "taskId": task["taskId"] }))
        .await;
    assert!(client.finish().await.is_ok());
    let ended = client.response(&id).await;
    assert!(
        ended.as_ref().is_err() || ended.as_ref().is_ok_and(|result| result["isError"] == true),
        "{ended:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_open_question_ends_with_its_client() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2025_11_25).await;
    let id = client
        .start(
            "tools/call",
            json!({ "name": "ask_briefly", "arguments": {} }),
        )
        .await;
    client.server_request().await;
    assert!(client.finish().await.is_ok());
    assert_eq!(text(&client.response(&id).await.unwrap()), "Gone");
    assert_eq!(probe.passed(), 0);
}

#[tokio::test(start_paused = true)]
async fn requests_in_one_breath_with_the_end_are_answered() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let mut ids = Vec::new();
        for _ in 0..20 {
            ids.push(client.start("tools/list", json!({})).await);
        }
        assert!(client.finish().await.is_ok(), "{kind}");
        for id in ids {
            assert!(client.response(&id).await.is_ok(), "{kind}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_last_line_without_its_newline_is_read() {
    let mut client = Session::open(&server().0, V2025_11_25).await;
    client
        .send_unended(br#"{"jsonrpc":"2.0","id":77,"method":"ping"}"#)
        .await;
    assert!(client.finish().await.is_ok());
    assert_eq!(client.response(&json!(77)).await.unwrap(), json!({}));
}

#[tokio::test(start_paused = true)]
async fn an_idle_server_ends_at_once() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let started = tokio::time::Instant::now();
        assert!(client.finish().await.is_ok(), "{kind}");
        assert!(
            started.elapsed().as_secs() < 1,
            "{kind}: {:?}",
            started.elapsed()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_subscription_ends_with_its_client() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let id = client
        .start("subscriptions/listen", json!({ "notifications": {} }))
        .await;
    client.recv().await;
    assert!(client.finish().await.is_ok());
    while let Some(last) = client.try_recv(std::time::Duration::from_secs(1)).await {
        let ends = last["id"] == id || last["method"] == "notifications/cancelled";
        assert!(ends, "{last}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_stops_reading_does_not_keep_the_server() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2025_11_25).await;
    calls(&mut client, 1_000).await;
    tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    drop(client);
    tokio::time::sleep(std::time::Duration::from_secs(60)).await;
    assert_eq!((probe.started(), probe.dropped()), (5, 5));
}

#[tokio::test(start_paused = true)]
async fn requests_about_tasks_in_one_breath_with_the_end_are_answered() {
    let (server, _) = server();
    for (kind, methods) in [
        (
            TasksExtension,
            ["tasks/get", "tasks/update", "tasks/cancel"],
        ),
        (CoreTasks, ["tasks/get", "tasks/list", "tasks/cancel"]),
    ] {
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("nap", json!({ "millis": 60_000 })).await;
        let mut ids = Vec::new();
        for method in methods {
            let params = json!({ "taskId": task["taskId"], "inputResponses": {} });
            ids.push(client.start(method, params).await);
        }
        assert!(client.finish().await.is_ok(), "{kind}");
        for id in ids {
            assert!(client.response(&id).await.is_ok(), "{kind}");
        }
    }
}

/// F48: `notifications/cancelled` may only name a live request, so that it comes before the response.
#[tokio::test(start_paused = true)]
async fn a_subscription_that_the_server_ends_is_cancelled_and_then_answered() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let id = client
        .start("subscriptions/listen", json!({ "notifications": {} }))
        .await;
    client.recv().await;
    assert!(client.finish().await.is_ok());
    let told = client.recv().await;
    assert_eq!(told["method"], "notifications/cancelled", "{told}");
    assert_eq!(told["params"]["requestId"], id, "{told}");
    let answered = client.recv().await;
    assert_eq!(answered["id"], id, "{answered}");
    let meta = &answered["result"]["_meta"];
    assert_eq!(
        meta["io.modelcontextprotocol/subscriptionId"], id,
        "{answered}"
    );
    assert_eq!(client.leftovers().await, Vec::<Value>::new());
}
