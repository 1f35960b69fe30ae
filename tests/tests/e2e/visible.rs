//! Tools that not every caller sees.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, every_client};
use mcp_tasks::{Capability, LiveTools, RuntimeTool};
use serde_json::{Value, json};
use tests::session::Session;
use tests::tools::{add, noop};

use ClientKind::V2026_07_28;

async fn names(client: &mut Session) -> (Value, Value) {
    let list = client.request("tools/list", json!({})).await.unwrap();
    let tools = list["tools"].as_array().unwrap();
    let names = tools.iter().map(|tool| tool["name"].clone()).collect();
    (names, list["cacheScope"].clone())
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_a_caller_may_not_see_is_an_unknown_one() {
    let server = Server::new("x")
        .tools(tools![add, noop])
        .visible(|_, tool| tool != "noop");
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let (listed, scope) = names(&mut client).await;
        assert_eq!(listed, json!(["add"]), "{kind}");
        let expected = if kind.is_modern() {
            json!("private")
        } else {
            Value::Null
        };
        assert_eq!(scope, expected, "{kind}");
        let hidden = client.call_plainly("noop", json!({})).await.unwrap_err();
        let unknown = client.call_plainly("none", json!({})).await.unwrap_err();
        assert_eq!(hidden.code, unknown.code, "{kind}");
        assert_eq!(hidden.message.replace("noop", "none"), unknown.message);
        let sum = client.call("add", json!({ "a": 1, "b": 2 })).await;
        assert_eq!(sum.text(), "3", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_caller_decides() {
    let live = LiveTools::new();
    live.add(RuntimeTool::new("think", "Thinks.", |_, _| async {
        "thought"
    }))
    .unwrap();
    let server = Server::new("x")
        .tools(tools![add])
        .live_tools(&live)
        .visible(|caller, tool| {
            tool != "think" || caller.is_modern() && caller.supports(Capability::Sampling)
        });
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let (listed, _) = names(&mut client).await;
        let expected = if kind.is_modern() {
            json!(["add", "think"])
        } else {
            json!(["add"])
        };
        assert_eq!(listed, expected, "{kind}");
    }
    let builder = mcp_tasks::testing::Client::builder(V2026_07_28).capabilities(json!({}));
    let mut client = Session::with(builder, &server).await;
    assert_eq!(names(&mut client).await.0, json!(["add"]));
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_the_decision_panics_over_is_shown_to_nobody_and_the_connection_lives() {
    let server = Server::new("x")
        .tools(tools![add, noop])
        .visible(|_, tool| tool == "add" || panic!("the decision's own words"));
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        assert_eq!(names(&mut client).await.0, json!(["add"]), "{kind}");
        let hidden = client.call_plainly("noop", json!({})).await.unwrap_err();
        assert_eq!(hidden.code, -32602, "{kind}");
        let sum = client.call("add", json!({ "a": 1, "b": 2 })).await;
        assert_eq!(sum.text(), "3", "{kind}");
    }
}
