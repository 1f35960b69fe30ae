//! `initialize` and what a legacy session offers.

use mcp_tasks::testing::{Client, ClientKind};
use mcp_tasks::{Server, tools};
use serde_json::{Value, json};
use tests::session::Session;
use tests::tools::{Probe, add, export, nap, plain_server, server};

use ClientKind::{CoreTasks, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

const LEGACY: [ClientKind; 3] = [V2025_11_25, V2025_06_18, V2025_03_26];

async fn capabilities(server: &Server, kind: ClientKind) -> Value {
    let client = Session::open(server, kind).await;
    client.initialize_result().expect("a handshake")["capabilities"].clone()
}

#[tokio::test(start_paused = true)]
async fn each_legacy_revision_is_answered_in_kind() {
    let (server, _) = server();
    for kind in LEGACY {
        let client = Session::open(&server, kind).await;
        let result = client.initialize_result().expect("a handshake");
        assert_eq!(result["protocolVersion"], kind.revision());
        assert_eq!(result["serverInfo"]["name"], "e2e");
        assert!(result["serverInfo"]["version"].is_string(), "{result}");
        assert!(result["capabilities"]["tools"].is_object(), "{result}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_tasks_capability_is_derived_and_exact_in_2025_11_25() {
    let offered = capabilities(&server().0, CoreTasks).await;
    let tasks = json!({ "list": {}, "cancel": {}, "requests": { "tools": { "call": {} } } });
    assert_eq!(
        offered,
        json!({ "logging": {}, "tools": {}, "tasks": tasks })
    );
}

#[tokio::test(start_paused = true)]
async fn no_tasks_capability_before_2025_11_25() {
    let (server, _) = server();
    for kind in [V2025_06_18, V2025_03_26] {
        let offered = capabilities(&server, kind).await;
        assert!(offered.get("tasks").is_none(), "{kind}: {offered}");
    }
}

#[tokio::test(start_paused = true)]
async fn no_tasks_capability_without_a_task_tool() {
    for kind in LEGACY {
        let offered = capabilities(&plain_server(), kind).await;
        assert_eq!(offered, json!({ "logging": {}, "tools": {} }), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_revision_is_countered_with_the_newest_legacy_one() {
    for asked in ["2024-11-05", "2026-07-28", "1999-01-01"] {
        // A modern client makes no handshake, so this one is the first.
        let mut client = Client::connect(&server().0, V2026_07_28).await;
        let params = json!({
            "protocolVersion": asked, "capabilities": {}, "clientInfo": { "name": "c", "version": "1" },
        });
        client
            .send(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))
            .await;
        let result = client.response(&json!(1)).await.unwrap();
        assert_eq!(result["protocolVersion"], "2025-11-25", "{asked}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_ping_is_answered_with_an_empty_object() {
    let (server, _) = server();
    for kind in LEGACY {
        let mut client = Session::open(&server, kind).await;
        assert_eq!(
            client.request("ping", Value::Null).await.unwrap(),
            json!({}),
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_ping_may_come_before_the_handshake() {
    let mut client = Client::connect(&server().0, V2026_07_28).await;
    client
        .send(json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }))
        .await;
    assert_eq!(client.response(&json!(1)).await.unwrap(), json!({}));
}

#[tokio::test(start_paused = true)]
async fn a_log_level_can_be_set_and_must_exist() {
    let (server, _) = server();
    for kind in LEGACY {
        let mut client = Session::open(&server, kind).await;
        let set = client
            .request("logging/setLevel", json!({ "level": "warning" }))
            .await;
        assert_eq!(set.unwrap(), json!({}), "{kind}");
        let refused = client
            .request("logging/setLevel", json!({ "level": "loud" }))
            .await;
        assert_eq!(refused.unwrap_err().code, -32602, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_logs_declares_logging() {
    let (server, _) = server();
    for kind in LEGACY {
        assert!(
            capabilities(&server, kind).await["logging"].is_object(),
            "{kind}"
        );
    }
}

async fn listed(server: &Server, kind: ClientKind) -> Vec<Value> {
    let mut client = Session::open(server, kind).await;
    let result = client.request("tools/list", Value::Null).await.unwrap();
    result["tools"].as_array().expect("tools").clone()
}

#[tokio::test(start_paused = true)]
async fn task_support_is_listed_in_2025_11_25_alone() {
    let server = Server::new("three")
        .tools(tools![add, nap, export])
        .state(Probe::default());
    let support = |tools: &[Value]| -> Vec<Value> {
        tools
            .iter()
            .map(|tool| tool["execution"]["taskSupport"].clone())
            .collect()
    };
    let tools = listed(&server, V2025_11_25).await;
    assert_eq!(support(&tools)[1..], [json!("optional"), json!("required")]);
    assert!(
        matches!(support(&tools)[0].as_str(), None | Some("forbidden")),
        "{tools:?}"
    );
    for kind in [V2026_07_28, V2025_06_18, V2025_03_26] {
        for tool in listed(&server, kind).await {
            assert!(tool.get("execution").is_none(), "{kind}: {tool}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn tools_are_listed_in_their_order_with_their_schemas() {
    let server = Server::new("three")
        .tools(tools![nap, add, export])
        .state(Probe::default());
    for kind in ClientKind::ALL {
        let tools = listed(&server, kind).await;
        let names: Vec<&str> = tools
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        assert_eq!(names, ["nap", "add", "export"], "{kind}");
        let add = &tools[1];
        assert_eq!(add["description"], "Adds two numbers.", "{kind}");
        assert_eq!(add["inputSchema"]["type"], "object", "{kind}");
        assert_eq!(
            add["inputSchema"]["properties"]["a"]["description"], "The first",
            "{kind}"
        );
        assert_eq!(add["inputSchema"]["required"], json!(["a", "b"]), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_cursor_nobody_gave_out_is_refused() {
    let (server, _) = server();
    for kind in ClientKind::ALL {
        let mut client = Session::open(&server, kind).await;
        let refused = client
            .request("tools/list", json!({ "cursor": "bogus" }))
            .await;
        assert_eq!(refused.unwrap_err().code, -32602, "{kind}");
    }
}
