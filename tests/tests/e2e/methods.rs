//! Which methods there are, in each era.

use mcp_tasks::testing::{ClientKind, every_client};
use serde_json::{Value, json};
use tests::session::Session;
use tests::tools::{plain_server, server};

use ClientKind::{CoreTasks, TasksExtension, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

#[tokio::test(start_paused = true)]
async fn an_unknown_method_is_refused_in_every_era() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        for method in [
            "tools/frobnicate",
            "resources/list",
            "prompts/get",
            "completion/complete",
            "",
        ] {
            let error = client.request(method, json!({})).await.unwrap_err();
            assert_eq!(error.code, -32601, "{kind}: {method}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_2026_07_28_removed_is_gone() {
    let (server, _) = server();
    for kind in [TasksExtension, V2026_07_28] {
        let mut client = Session::open(&server, kind).await;
        let removed = [
            "initialize",
            "ping",
            "logging/setLevel",
            "resources/subscribe",
            "tasks/result",
            "tasks/list",
        ];
        for method in removed {
            let params = json!({ "level": "info", "taskId": "x" });
            let error = client.request(method, params).await.unwrap_err();
            assert_eq!(error.code, -32601, "{kind}: {method}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn there_is_no_tasks_update_in_a_legacy_session() {
    let (server, _) = server();
    for kind in [CoreTasks, V2025_11_25, V2025_06_18, V2025_03_26] {
        let mut client = Session::open(&server, kind).await;
        let params = json!({ "taskId": "x", "inputResponses": {} });
        let error = client.request("tasks/update", params).await.unwrap_err();
        assert_eq!(error.code, -32601, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn there_are_no_task_methods_before_2025_11_25() {
    let (server, _) = server();
    for kind in [V2025_06_18, V2025_03_26] {
        let mut client = Session::open(&server, kind).await;
        for method in ["tasks/get", "tasks/result", "tasks/cancel", "tasks/list"] {
            let error = client
                .request(method, json!({ "taskId": "x" }))
                .await
                .unwrap_err();
            assert_eq!(error.code, -32601, "{kind}: {method}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn there_are_no_task_methods_without_a_task_tool() {
    for kind in [CoreTasks, TasksExtension] {
        let mut client = Session::open(&plain_server(), kind).await;
        for method in [
            "tasks/get",
            "tasks/result",
            "tasks/cancel",
            "tasks/list",
            "tasks/update",
        ] {
            let params = json!({ "taskId": "x", "inputResponses": {} });
            let error = client.request(method, params).await.unwrap_err();
            assert_eq!(error.code, -32601, "{kind}: {method}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn who_did_not_declare_tasks_is_told_so_before_the_id_is_looked_at() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let params = json!({ "taskId": "bogus", "inputResponses": {} });
        let error = client.request(method, params).await.unwrap_err();
        assert_eq!(error.code, -32021, "{method}");
        let required = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
        assert_eq!(
            error.data,
            Some(json!({ "requiredCapabilities": required })),
            "{method}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_task_is_refused_alike_by_every_method() {
    let (server, _) = server();
    for (kind, methods) in [
        (
            TasksExtension,
            ["tasks/get", "tasks/cancel", "tasks/update"],
        ),
        (CoreTasks, ["tasks/get", "tasks/cancel", "tasks/result"]),
    ] {
        let mut client = Session::open(&server, kind).await;
        for method in methods {
            for id in [
                json!("bogus"),
                json!(""),
                json!("0123456789abcdef0123456789abcdef"),
            ] {
                let params = json!({ "taskId": id, "inputResponses": {} });
                let error = client.request(method, params).await.unwrap_err();
                assert_eq!(error.code, -32602, "{kind}: {method} {id}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_id_that_is_missing_or_no_string_is_refused() {
    let (server, _) = server();
    for kind in [TasksExtension, CoreTasks] {
        let mut client = Session::open(&server, kind).await;
        for params in [json!({}), json!({ "taskId": 7 }), json!({ "taskId": null })] {
            let error = client.request("tasks/get", params).await.unwrap_err();
            assert_eq!(error.code, -32602, "{kind}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_of_one_era_is_unknown_in_the_other() {
    let (server, _) = server();
    let mut modern = Session::open(&server, TasksExtension).await;
    let mut legacy = Session::open(&server, CoreTasks).await;
    let new = modern.start_task("echo", json!({ "text": "x" })).await;
    let old = legacy.start_task("echo", json!({ "text": "x" })).await;
    assert_eq!(
        modern.about("tasks/get", &old).await.unwrap_err().code,
        -32602
    );
    assert_eq!(
        legacy.about("tasks/get", &new).await.unwrap_err().code,
        -32602
    );
}

#[tokio::test(start_paused = true)]
async fn the_era_is_decided_message_by_message() {
    let mut client = Session::open(&server().0, V2025_11_25).await;
    let mut modern = Session::open(&server().0, V2026_07_28).await;
    modern.request("server/discover", json!({})).await.unwrap();
    let asked = modern.transcript()[0].1["params"]["_meta"].clone();
    let found = client
        .request("server/discover", json!({ "_meta": asked }))
        .await
        .unwrap();
    assert_eq!(found["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(
        client.request("ping", Value::Null).await.unwrap(),
        json!({})
    );
}

#[tokio::test(start_paused = true)]
async fn an_unknown_notification_is_ignored() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        client
            .notify("notifications/frobnicated", json!({ "a": 1 }))
            .await;
        client
            .notify("notifications/roots/list_changed", Value::Null)
            .await;
        assert_eq!(client.leftovers().await, Vec::<Value>::new(), "{kind}");
        assert_eq!(
            client.call("add", json!({ "a": 1, "b": 2 })).await.text(),
            "3",
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_response_to_nothing_is_ignored() {
    let (server, _) = server();
    for kind in [CoreTasks, V2025_06_18] {
        let mut client = Session::open(&server, kind).await;
        client
            .respond(&json!(4711), json!({ "action": "accept" }))
            .await;
        client.respond(&json!("4711"), json!("nonsense")).await;
        assert_eq!(client.leftovers().await, Vec::<Value>::new(), "{kind}");
        assert_eq!(
            client.call("add", json!({ "a": 1, "b": 2 })).await.text(),
            "3",
            "{kind}"
        );
    }
}
