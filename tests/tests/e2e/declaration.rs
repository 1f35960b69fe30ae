//! What a tool declares meets what a client can (design, "The declaration meets the client per request").

use mcp_tasks::testing::{ClientKind, every_client};
use serde_json::{Value, json};
use tests::session::{CLIENT_CAPABILITIES, Session, text};
use tests::tools::{plain_server, server};

use ClientKind::{CoreTasks, TasksExtension, V2025_11_25, V2026_07_28};

fn task_call(name: &str, arguments: impl Into<Value>) -> Value {
    json!({ "name": name, "arguments": arguments.into(), "task": { "ttl": 60_000 } })
}

#[tokio::test(start_paused = true)]
async fn a_plain_tool_runs_inline_for_every_client() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let result = client
            .call_plainly("add", json!({ "a": 2, "b": 3 }))
            .await
            .unwrap();
        assert_eq!(text(&result), "5", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_plain_tool_refuses_to_be_a_core_task() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let refused = client
        .request("tools/call", task_call("add", json!({ "a": 2, "b": 3 })))
        .await;
    assert_eq!(refused.unwrap_err().code, -32601);
}

#[tokio::test(start_paused = true)]
async fn a_task_tool_runs_inline_where_nobody_asked_for_a_task() {
    let (server, probe) = server();
    for kind in every_client().filter(|kind| *kind != TasksExtension) {
        let mut client = Session::open(&server, kind).await;
        let result = client
            .call_plainly("nap", json!({ "millis": 10 }))
            .await
            .unwrap();
        assert_eq!(text(&result), "rested", "{kind}");
    }
    assert_eq!(probe.started(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_task_tool_answers_inline_when_done_in_its_moment() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let outcome = client.call("quick", json!({ "millis": 50 })).await;
    assert_eq!(
        (outcome.text().as_str(), outcome.was_task()),
        ("quick", false)
    );
    let outcome = client.call("quick", json!({ "millis": 500 })).await;
    assert_eq!(
        (outcome.text().as_str(), outcome.was_task()),
        ("quick", true)
    );
}

#[tokio::test(start_paused = true)]
async fn a_core_client_that_sent_task_gets_one_whatever_the_moment() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let outcome = client.call("quick", json!({ "millis": 50 })).await;
    assert_eq!(
        (outcome.text().as_str(), outcome.was_task()),
        ("quick", true)
    );
}

#[tokio::test(start_paused = true)]
async fn a_required_tool_is_a_task_for_those_who_follow_tasks() {
    let (server, _) = server();
    for kind in every_client().filter(|kind| kind.follows_tasks()) {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("export", json!({})).await;
        assert_eq!(
            (outcome.text().as_str(), outcome.was_task()),
            ("exported", true),
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_required_tool_called_plainly_in_2025_11_25_says_how_to_call_it() {
    let mut client = Session::open(&server().0, V2025_11_25).await;
    let required = client.call_plainly("export", json!({})).await.unwrap_err();
    assert_eq!(required.code, -32601);
    assert!(required.message.contains("task"), "{required}");
    let forbidden = client
        .request("tools/call", task_call("add", json!({ "a": 1, "b": 1 })))
        .await;
    assert_ne!(
        forbidden.unwrap_err().message,
        required.message,
        "the two can be told apart"
    );
}

#[tokio::test(start_paused = true)]
async fn a_required_tool_asks_a_modern_client_for_the_extension() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let error = client.call_plainly("export", json!({})).await.unwrap_err();
    assert_eq!(error.code, -32021);
    let required = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    assert_eq!(
        error.data,
        Some(json!({ "requiredCapabilities": required }))
    );
}

#[tokio::test(start_paused = true)]
async fn a_required_tool_runs_inline_for_older_clients() {
    let (server, _) = server();
    for kind in [ClientKind::V2025_06_18, ClientKind::V2025_03_26] {
        let mut client = Session::open(&server, kind).await;
        assert_eq!(
            client.call("export", json!({})).await.text(),
            "exported",
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_parameter_means_nothing_to_a_modern_call() {
    let (server, _) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let result = client
        .request("tools/call", task_call("echo", json!({ "text": "x" })))
        .await
        .unwrap();
    assert_eq!(text(&result), "x");
    let mut client = Session::open(&server, TasksExtension).await;
    let result = client
        .request("tools/call", task_call("add", json!({ "a": 1, "b": 1 })))
        .await
        .unwrap();
    assert_eq!(text(&result), "2");
}

#[tokio::test(start_paused = true)]
async fn a_task_parameter_means_nothing_before_2025_11_25() {
    let (server, _) = server();
    for kind in [ClientKind::V2025_06_18, ClientKind::V2025_03_26] {
        let mut client = Session::open(&server, kind).await;
        for (tool, arguments) in [
            ("echo", json!({ "text": "2" })),
            ("add", json!({ "a": 1, "b": 1 })),
        ] {
            let result = client
                .request("tools/call", task_call(tool, arguments))
                .await
                .unwrap();
            assert_eq!(text(&result), "2", "{kind}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_parameter_means_nothing_to_a_server_without_task_tools() {
    let mut client = Session::open(&plain_server(), V2025_11_25).await;
    let result = client
        .request("tools/call", task_call("add", json!({ "a": 1, "b": 1 })))
        .await
        .unwrap();
    assert_eq!(text(&result), "2");
}

#[tokio::test(start_paused = true)]
async fn the_extension_is_declared_by_each_request_for_itself() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    assert!(client.call("echo", json!({ "text": "x" })).await.was_task());
    let undeclared = json!({
        "name": "echo", "arguments": { "text": "x" }, "_meta": { CLIENT_CAPABILITIES: {} },
    });
    let result = client.request("tools/call", undeclared).await.unwrap();
    assert_eq!(result["resultType"], "complete");
}

#[tokio::test(start_paused = true)]
async fn core_task_capabilities_do_not_declare_the_extension() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let legacy = json!({ "tasks": { "requests": { "tools": { "call": {} } } } });
    let params = json!({
        "name": "echo", "arguments": { "text": "x" }, "_meta": { CLIENT_CAPABILITIES: legacy },
    });
    let result = client.request("tools/call", params).await.unwrap();
    assert_eq!(result["resultType"], "complete");
}

#[tokio::test(start_paused = true)]
async fn the_extension_enables_nothing_in_2025_11_25() {
    let capabilities = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    let builder = mcp_tasks::testing::Client::builder(V2025_11_25).capabilities(capabilities);
    let mut client = Session::with(builder, &server().0).await;
    let result = client
        .call_plainly("echo", json!({ "text": "x" }))
        .await
        .unwrap();
    assert_eq!(text(&result), "x");
}
