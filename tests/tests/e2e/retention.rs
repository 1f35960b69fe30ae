//! How long a task is kept, and what is said once it is gone.

use std::time::Duration;

use mcp_tasks::testing::ClientKind;
use serde_json::{Value, json};
use tests::session::{Session, text};
use tests::tools::server;

use ClientKind::{CoreTasks, TasksExtension};

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;

async fn core_task(client: &mut Session, tool: &str, task: Value) -> Value {
    let params = json!({ "name": tool, "arguments": { "millis": 1000 }, "task": task });
    client.request("tools/call", params).await.unwrap()["task"].clone()
}

fn about(actual: &Value, expected: u64) -> bool {
    actual
        .as_u64()
        .is_some_and(|actual| actual.abs_diff(expected) < 1000)
}

#[tokio::test(start_paused = true)]
async fn a_running_task_is_kept_for_all_it_may_run_and_its_time_after() {
    let (server, _) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    let created = client.start_task("keep", json!({ "millis": 1000 })).await;
    assert_eq!(created["ttlMs"], 6 * MINUTE);
    assert_eq!(created["pollIntervalMs"], 2000);
    let mut client = Session::open(&server, CoreTasks).await;
    let created = client.start_task("keep", json!({ "millis": 1000 })).await;
    assert_eq!(created["ttl"], 6 * MINUTE);
    assert_eq!(created["pollInterval"], 2000);
}

#[tokio::test(start_paused = true)]
async fn an_ended_task_is_kept_from_its_end() {
    let (server, _) = server();
    for (kind, ttl) in [(TasksExtension, "ttlMs"), (CoreTasks, "ttl")] {
        let mut client = Session::open(&server, kind).await;
        let created = client.start_task("keep", json!({ "millis": 1000 })).await;
        let ended = client.get_until(&created, "completed").await;
        assert!(about(&ended[ttl], 5 * MINUTE + 1000), "{kind}: {ended}");
        tokio::time::sleep(Duration::from_millis(5 * MINUTE - 2000)).await;
        assert_eq!(
            client.get(&created).await["status"],
            "completed",
            "{kind}: still there"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_expired_task_is_gone_for_every_method_alike() {
    let (server, _) = server();
    for (kind, methods) in [
        (
            TasksExtension,
            ["tasks/get", "tasks/cancel", "tasks/update"],
        ),
        (CoreTasks, ["tasks/get", "tasks/cancel", "tasks/result"]),
    ] {
        let mut client = Session::open(&server, kind).await;
        let created = client.start_task("keep", json!({ "millis": 1000 })).await;
        client.get_until(&created, "completed").await;
        tokio::time::sleep(Duration::from_millis(5 * MINUTE + 5000)).await;
        for method in methods {
            let params = json!({ "taskId": created["taskId"], "inputResponses": {} });
            let error = client.request(method, params).await.unwrap_err();
            assert_eq!(error.code, -32602, "{kind}: {method}");
            assert!(
                error.message.contains("Task has expired"),
                "{kind}: {method}: {error}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_task_is_said_to_be_not_found() {
    let (server, _) = server();
    for kind in [TasksExtension, CoreTasks] {
        let mut client = Session::open(&server, kind).await;
        let error = client
            .about("tasks/get", &json!({ "taskId": "bogus" }))
            .await
            .unwrap_err();
        assert!(error.message.contains("Task not found"), "{kind}: {error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_wish_for_a_longer_life_is_granted_within_the_servers_maximum() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let created = core_task(&mut client, "keep", json!({ "ttl": HOUR })).await;
    let ended = client.get_until(&created, "completed").await;
    assert_eq!(ended["ttl"], HOUR);
    tokio::time::sleep(Duration::from_millis(HOUR - 10_000)).await;
    assert_eq!(
        text(&client.about("tasks/result", &created).await.unwrap()),
        "kept"
    );

    for wish in [10 * 24 * HOUR, u64::MAX] {
        let created = core_task(&mut client, "keep", json!({ "ttl": wish })).await;
        let ended = client.get_until(&created, "completed").await;
        let granted = ended["ttl"].as_u64().expect("a number");
        assert!(
            (24 * HOUR..=24 * HOUR + 2000).contains(&granted),
            "{granted}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_wish_for_a_short_life_ends_no_run() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let created = core_task(&mut client, "keep", json!({ "ttl": 50 })).await;
    let result = client.about("tasks/result", &created).await.unwrap();
    assert_eq!(text(&result), "kept");
    let ended = client.get(&created).await;
    assert!(about(&ended["ttl"], 5 * MINUTE + 1000), "{ended}");
}

#[tokio::test(start_paused = true)]
async fn a_wish_that_is_no_time_is_refused() {
    let (server, probe) = server();
    let mut client = Session::open(&server, CoreTasks).await;
    for wish in [json!(-1), json!(1.5), json!("1h"), json!([])] {
        let params =
            json!({ "name": "nap", "arguments": { "millis": 1 }, "task": { "ttl": wish } });
        let error = client.request("tools/call", params).await.unwrap_err();
        assert_eq!(error.code, -32602, "{wish}");
    }
    let params = json!({ "name": "nap", "arguments": { "millis": 1 }, "task": 7 });
    assert_eq!(
        client.request("tools/call", params).await.unwrap_err().code,
        -32602
    );
    assert_eq!(probe.started(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_task_runs_for_hours_if_it_must() {
    let (server, _) = server();
    for kind in [TasksExtension, CoreTasks] {
        let mut client = Session::open(&server, kind).await;
        let created = client
            .start_task("nap", json!({ "millis": 12 * HOUR }))
            .await;
        tokio::time::sleep(Duration::from_millis(12 * HOUR - 1000)).await;
        assert_eq!(client.get(&created).await["status"], "working", "{kind}");
        client.get_until(&created, "completed").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_ends_after_a_day_at_the_latest() {
    let (server, probe) = server();
    for kind in [TasksExtension, CoreTasks] {
        let mut client = Session::open(&server, kind).await;
        let created = client
            .start_task("nap", json!({ "millis": 1000 * HOUR }))
            .await;
        tokio::time::sleep(Duration::from_millis(24 * HOUR + 10_000)).await;
        let ended = client.get(&created).await;
        assert_eq!(ended["status"], "failed", "{kind}: {ended}");
    }
    assert_eq!((probe.started(), probe.dropped()), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn a_question_nobody_answers_ends_after_a_day() {
    let (server, probe) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    let created = client.start_task("ask", json!({})).await;
    client.get_until(&created, "input_required").await;
    tokio::time::sleep(Duration::from_millis(24 * HOUR + 10_000)).await;
    let ended = client.about("tasks/get", &created).await;
    assert!(
        ended
            .as_ref()
            .is_ok_and(|task| task["status"] != "input_required")
            || ended.is_err(),
        "{ended:?}"
    );
    assert_eq!((probe.started(), probe.dropped()), (1, 1));
}
