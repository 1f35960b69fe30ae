//! `server/discover` and what every modern request must say of itself.

use mcp_tasks::testing::{Client, ClientKind};
use serde_json::{Value, json};
use tests::session::{CLIENT_CAPABILITIES, PROTOCOL_VERSION, Session};
use tests::tools::{plain_server, server};

use ClientKind::{TasksExtension, V2026_07_28};

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

#[tokio::test(start_paused = true)]
async fn discover_says_what_there_is() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let found = client.request("server/discover", json!({})).await.unwrap();
    assert_eq!(found["resultType"], "complete");
    assert_eq!(found["supportedVersions"], json!(["2026-07-28"]));
    let extensions = json!({ "io.modelcontextprotocol/tasks": {} });
    assert_eq!(
        found["capabilities"],
        json!({ "logging": {}, "tools": {}, "extensions": extensions })
    );
    assert!(found["ttlMs"].is_u64(), "{found}");
    assert!(
        matches!(found["cacheScope"].as_str(), Some("public" | "private")),
        "{found}"
    );
    assert_eq!(found["_meta"][SERVER_INFO]["name"], "e2e");
    assert!(found.get("serverInfo").is_none(), "{found}");
}

#[tokio::test(start_paused = true)]
async fn discover_offers_no_tasks_without_a_task_tool() {
    let mut client = Session::open(&plain_server(), TasksExtension).await;
    let found = client.request("server/discover", json!({})).await.unwrap();
    assert_eq!(found["capabilities"], json!({ "logging": {}, "tools": {} }));
}

#[tokio::test(start_paused = true)]
async fn every_result_names_its_server() {
    let mut client = Session::open(&server().0, TasksExtension).await;
    let created = client.start_task("echo", json!({ "text": "x" })).await;
    let results = [
        client.request("tools/list", json!({})).await,
        client.call_plainly("add", json!({ "a": 1, "b": 2 })).await,
        client.about("tasks/get", &created).await,
        client.about("tasks/cancel", &created).await,
        Ok(created),
    ];
    for result in results.map(Result::unwrap) {
        assert_eq!(result["_meta"][SERVER_INFO]["name"], "e2e", "{result}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_says_how_long_it_may_be_kept() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let list = client.request("tools/list", json!({})).await.unwrap();
    assert!(list["ttlMs"].is_u64(), "{list}");
    assert!(
        matches!(list["cacheScope"].as_str(), Some("public" | "private")),
        "{list}"
    );
    let call = client
        .call_plainly("add", json!({ "a": 1, "b": 2 }))
        .await
        .unwrap();
    assert!(
        call.get("cacheScope").is_none() && call.get("ttlMs").is_none(),
        "{call}"
    );
}

/// Sends a request with exactly this `_meta`.
async fn with_meta(client: &mut Client, method: &str, meta: Value) -> i64 {
    let id = json!(format!("{method} {meta}"));
    let params = json!({ "_meta": meta, "name": "add", "arguments": { "a": 1, "b": 2 } });
    client
        .send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
        .await;
    client
        .response(&id)
        .await
        .expect_err("incomplete metadata")
        .code
}

#[tokio::test(start_paused = true)]
async fn a_request_without_its_required_metadata_is_refused() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    for method in ["server/discover", "tools/list", "tools/call", "tasks/get"] {
        let only_version = json!({ PROTOCOL_VERSION: "2026-07-28" });
        assert_eq!(
            with_meta(&mut client, method, only_version).await,
            -32602,
            "{method}"
        );
        let ill_typed = json!({ PROTOCOL_VERSION: "2026-07-28", CLIENT_CAPABILITIES: "none" });
        assert_eq!(
            with_meta(&mut client, method, ill_typed).await,
            -32602,
            "{method}"
        );
        let version_no_string = json!({ PROTOCOL_VERSION: 7, CLIENT_CAPABILITIES: {} });
        assert_eq!(
            with_meta(&mut client, method, version_no_string).await,
            -32602,
            "{method}"
        );
    }
    assert_eq!(
        with_meta(&mut client, "server/discover", json!({})).await,
        -32602
    );
    assert_eq!(
        with_meta(&mut client, "subscriptions/listen", json!({})).await,
        -32602
    );
}

#[tokio::test(start_paused = true)]
async fn a_modern_method_without_any_parameters_lacks_its_metadata() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    for method in ["server/discover", "subscriptions/listen"] {
        client
            .send(json!({ "jsonrpc": "2.0", "id": method, "method": method }))
            .await;
        let error = client.response(&json!(method)).await.unwrap_err();
        assert_eq!(error.code, -32602, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_need_not_say_who_its_client_is() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let meta = json!({ PROTOCOL_VERSION: "2026-07-28", CLIENT_CAPABILITIES: {} });
    client
        .send(json!({
            "jsonrpc": "2.0", "id": "x", "method": "tools/list", "params": { "_meta": meta },
        }))
        .await;
    assert!(client.response(&json!("x")).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn an_unsupported_version_is_told_what_is_supported() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    for version in ["2099-01-01", "2025-11-25"] {
        let params = json!({ "_meta": { PROTOCOL_VERSION: version } });
        let error = client.request("tools/list", params).await.unwrap_err();
        assert_eq!(error.code, -32022, "{version}");
        let data = json!({ "supported": ["2026-07-28"], "requested": version });
        assert_eq!(error.data, Some(data), "{version}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_log_level_is_refused() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let params = json!({
        "name": "add", "arguments": { "a": 1, "b": 2 }, "_meta": { tests::session::LOG_LEVEL: "loud" },
    });
    assert_eq!(
        client.request("tools/call", params).await.unwrap_err().code,
        -32602
    );
}
