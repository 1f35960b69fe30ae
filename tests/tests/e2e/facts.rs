//! How a run's end looks on each task wire and inline (design, "One lifecycle, three renderings").

use mcp_tasks::testing::{Client, ClientKind, End, every_client};
use serde_json::json;
use tests::session::{RELATED_TASK, Session, TASK_CLIENTS, text};
use tests::tools::server;

use ClientKind::{CoreTasks, TasksExtension};

#[tokio::test(start_paused = true)]
async fn a_result_is_the_same_for_every_client() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("echo", json!({ "text": "hi" })).await;
        assert_eq!(outcome.text(), "hi", "{kind}");
        assert!(!outcome.is_error(), "{kind}");
        assert_eq!(outcome.was_task(), kind.follows_tasks(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_extension_task_is_created_flat_and_without_an_outcome() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let created = client.start_task("echo", json!({ "text": "hi" })).await;
    assert_eq!(created["resultType"], "task");
    assert_eq!(created["status"], "working");
    assert!(
        created["createdAt"].is_string() && created["lastUpdatedAt"].is_string(),
        "{created}"
    );
    assert!(
        created["ttlMs"].as_u64().is_some_and(|ttl| ttl > 0),
        "{created}"
    );
    assert_eq!(created["pollIntervalMs"], 1000);
    for absent in [
        "task",
        "result",
        "error",
        "inputRequests",
        "requestState",
        "ttl",
        "pollInterval",
    ] {
        assert!(created.get(absent).is_none(), "{absent} in {created}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_completed_extension_task_holds_its_result() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let created = client.start_task("echo", json!({ "text": "hi" })).await;
    let task = client.get_until(&created, "completed").await;
    assert_eq!(task["resultType"], "complete");
    assert_eq!(task["taskId"], created["taskId"]);
    assert_eq!(task["createdAt"], created["createdAt"]);
    assert_eq!(text(&task["result"]), "hi");
    assert!(
        task["result"]["_meta"].get(RELATED_TASK).is_none(),
        "{task}"
    );
    for absent in [
        "error",
        "inputRequests",
        "requestState",
        "ttl",
        "pollInterval",
        "cacheScope",
    ] {
        assert!(task.get(absent).is_none(), "{absent} in {task}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_core_task_is_created_nested_and_its_result_fetched() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let params =
        json!({ "name": "echo", "arguments": { "text": "hi" }, "task": { "ttl": 60_000 } });
    let reply = client.request("tools/call", params).await.unwrap();
    let created = &reply["task"];
    assert_eq!(created["status"], "working");
    assert!(
        created["createdAt"].is_string() && created["lastUpdatedAt"].is_string(),
        "{created}"
    );
    assert!(created["ttl"].is_u64(), "{created}");
    assert_eq!(created["pollInterval"], 1000);
    for absent in ["taskId", "status", "content"] {
        assert!(reply.get(absent).is_none(), "{absent} in {reply}");
    }
    let result = client.about("tasks/result", created).await.unwrap();
    assert_eq!(text(&result), "hi");
    assert_eq!(
        result["_meta"][RELATED_TASK],
        json!({ "taskId": created["taskId"] })
    );
    let task = client.get(created).await;
    assert_eq!(task["status"], "completed");
    assert_eq!(task["taskId"], created["taskId"]);
    assert!(task["_meta"].get(RELATED_TASK).is_none(), "{task}");
    assert!(task.get("result").is_none(), "{task}");
}

#[tokio::test(start_paused = true)]
async fn a_result_with_is_error_completes_an_extension_task() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let created = client.start_task("fail", json!({})).await;
    let task = client.get_until(&created, "completed").await;
    assert_eq!(task["result"]["isError"], true);
    assert_eq!(text(&task["result"]), "the disk is full");
}

#[tokio::test(start_paused = true)]
async fn a_result_with_is_error_fails_a_core_task_and_can_still_be_fetched() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let created = client.start_task("fail", json!({})).await;
    let result = client.about("tasks/result", &created).await.unwrap();
    assert_eq!(result["isError"], true);
    assert_eq!(text(&result), "the disk is full");
    let task = client.get(&created).await;
    assert_eq!(task["status"], "failed");
    assert!(task["statusMessage"].is_string(), "{task}");
}

#[tokio::test(start_paused = true)]
async fn a_json_rpc_error_fails_an_extension_task_which_holds_it() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let created = client.start_task("refuse", json!({})).await;
    let task = client.get_until(&created, "failed").await;
    assert_eq!(task["error"]["code"], -32602);
    assert_eq!(task["error"]["message"], "no such ledger");
    assert!(task["statusMessage"].is_string(), "{task}");
    assert!(task.get("result").is_none(), "{task}");
}

#[tokio::test(start_paused = true)]
async fn a_json_rpc_error_fails_a_core_task_and_is_replayed() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    for (tool, code, message) in [
        ("refuse", -32602, "no such ledger"),
        ("conflict", 409, "taken"),
    ] {
        let created = client.start_task(tool, json!({})).await;
        for _ in 0..2 {
            let error = client.about("tasks/result", &created).await.unwrap_err();
            assert_eq!((error.code, error.message.as_str()), (code, message));
        }
        assert_eq!(client.get(&created).await["status"], "failed");
    }
}

#[tokio::test(start_paused = true)]
async fn a_json_rpc_error_is_an_error_inline() {
    let (server, _) = server();
    for kind in every_client().filter(|kind| !kind.follows_tasks()) {
        let mut client = Session::open(&server, kind).await;
        assert_eq!(
            client.call("refuse", json!({})).await.error().code,
            -32602,
            "{kind}"
        );
        assert_eq!(
            client.call("conflict", json!({})).await.error().code,
            409,
            "{kind}"
        );
        assert!(client.call("fail", json!({})).await.is_error(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_fails_the_task_and_keeps_its_secret() {
    let (server, _) = server();
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("boom", json!({ "n": 7 })).await;
        assert_eq!(outcome.error().code, -32603, "{kind}");
        assert_eq!(
            outcome.statuses.last().map(String::as_str),
            Some("failed"),
            "{kind}"
        );
        let said = format!("{:?}", client.transcript());
        assert!(!said.contains("secret-7"), "{kind}");
        assert_eq!(
            client.call("echo", json!({ "text": "alive" })).await.text(),
            "alive",
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_inline_is_an_error_result_and_keeps_its_secret() {
    let (server, _) = server();
    for kind in every_client().filter(|kind| !kind.follows_tasks()) {
        let mut client = Session::open(&server, kind).await;
        assert!(
            client.call("boom", json!({ "n": 7 })).await.is_error(),
            "{kind}"
        );
        assert!(
            !format!("{:?}", client.transcript()).contains("secret-7"),
            "{kind}"
        );
        assert_eq!(
            client.call("add", json!({ "a": 1, "b": 2 })).await.text(),
            "3",
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_timeout_fails_the_task() {
    let (server, _) = server();
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        let started = tokio::time::Instant::now();
        let outcome = client.call("slow", json!({})).await;
        assert_eq!(outcome.error().code, -32603, "{kind}");
        assert_eq!(
            outcome.statuses.last().map(String::as_str),
            Some("failed"),
            "{kind}"
        );
        assert!(
            started.elapsed().as_secs() < 10,
            "{kind}: {:?}",
            started.elapsed()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_timeout_inline_ends_the_call() {
    let (server, _) = server();
    for kind in every_client().filter(|kind| !kind.follows_tasks()) {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("slow", json!({})).await;
        assert!(
            outcome.is_error() || matches!(outcome.end, End::Error(_)),
            "{kind}: {outcome:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_is_known_by_one_id_inside_and_outside() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("whoami", json!({})).await;
        assert_eq!(
            outcome.text(),
            outcome.task_id().unwrap_or("no task"),
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_can_be_read_as_soon_as_its_id_is_known() {
    let (server, _) = server();
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        for _ in 0..50 {
            let created = client.start_task("echo", json!({ "text": "x" })).await;
            assert_eq!(
                client.get(&created).await["taskId"],
                created["taskId"],
                "{kind}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_outlives_the_connection_that_made_it() {
    let (server, _) = server();
    for kind in TASK_CLIENTS {
        let mut first = Client::connect(&server, kind).await;
        let mut params = json!({ "name": "nap", "arguments": { "millis": 100 } });
        if kind == CoreTasks {
            params["task"] = json!({});
        }
        let created = first.request("tools/call", params).await.unwrap();
        let created = created.get("task").unwrap_or(&created).clone();
        drop(first);
        let mut second = Session::open(&server, kind).await;
        second.get_until(&created, "completed").await;
    }
}
