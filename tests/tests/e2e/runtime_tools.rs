//! Tools made of a definition and a closure when the server starts.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, every_client};
use mcp_tasks::{Capability, RuntimeTool};
use serde_json::{Value, json};
use tests::session::{Session, TASK_CLIENTS, agree, text};
use tests::tools::add;

use ClientKind::V2026_07_28;

fn say() -> RuntimeTool {
    let prefix = String::from("said ");
    RuntimeTool::new(
        "say",
        "Says it back.",
        move |ctx: Context, arguments: Value| {
            let prefix = prefix.clone();
            async move {
                let text = arguments["text"].as_str().ok_or("`text` is missing")?;
                Ok::<_, ToolError>(format!("{prefix}{text} by {}", ctx.tool()))
            }
        },
    )
    .title("Say")
    .input_schema(json!({ "type": "object", "properties": { "text": { "type": "string" } } }))
    .read_only(true)
}

fn build() -> RuntimeTool {
    RuntimeTool::new("build", "Builds.", |ctx: Context, _| async move {
        ctx.confirm("Build?").await.map(|yes| yes.to_string())
    })
    .task()
}

fn server() -> Server {
    Server::new("runtime")
        .tools(tools![add])
        .add_tool(say())
        .add_tool(build())
        .add_tool(RuntimeTool::new("panic", "Panics.", panics))
        .add_tool(
            RuntimeTool::new("think", "Thinks.", |_, _| async { "thought" })
                .needs(Capability::Sampling),
        )
}

async fn panics(_: Context, _: Value) -> String {
    panic!("secret-7")
}

#[tokio::test(start_paused = true)]
async fn they_are_listed_behind_the_functions_in_their_order() {
    for kind in every_client() {
        let mut client = Session::open(&server(), kind).await;
        let list = client.request("tools/list", json!({})).await.unwrap();
        let tools = list["tools"].as_array().unwrap();
        let names: Vec<_> = tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["add", "say", "build", "panic", "think"], "{kind}");
        let say = &tools[1];
        assert_eq!(say["inputSchema"]["properties"]["text"]["type"], "string");
        assert_eq!(say["annotations"]["readOnlyHint"], true);
        assert_eq!(tools[2]["inputSchema"], json!({ "type": "object" }));
    }
}

#[tokio::test(start_paused = true)]
async fn the_closure_gets_the_call_and_its_arguments() {
    for kind in every_client() {
        let mut client = Session::open(&server(), kind).await;
        let said = client.call("say", json!({ "text": "hi" })).await;
        assert_eq!(said.text(), "said hi by say", "{kind}");
        let failed = client.call_plainly("say", json!({})).await.unwrap();
        assert_eq!(failed["isError"], true);
        assert_eq!(text(&failed), "`text` is missing", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn one_may_run_as_a_task_and_ask() {
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server(), kind).await;
        let outcome = client.call("build", json!({})).reply_with(agree).await;
        assert!(outcome.was_task(), "{kind}");
        assert_eq!(outcome.text(), "true", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_stays_inside_and_a_missing_capability_is_told() {
    let mut client = Session::open(&server(), V2026_07_28).await;
    let failed = client.call_plainly("panic", json!({})).await.unwrap();
    assert_eq!(failed["isError"], true);
    assert!(!text(&failed).contains("secret"), "{failed}");
    let meta = json!({ tests::session::CLIENT_CAPABILITIES: {} });
    let params = json!({ "name": "think", "arguments": {}, "_meta": meta });
    let error = client.request("tools/call", params).await.unwrap_err();
    assert_eq!(error.code, -32021);
}

#[tokio::test(start_paused = true)]
async fn configure_reaches_them() {
    let slow = RuntimeTool::new("slow", "Never ends.", |_, _| std::future::pending::<()>());
    let server = Server::new("x").add_tool(slow).configure("slow", |policy| {
        policy.timeout = Some(Duration::from_secs(1));
    });
    let mut client = Session::open(&server, V2026_07_28).await;
    let failed = client.call_plainly("slow", json!({})).await.unwrap();
    assert_eq!(text(&failed), "timed out after 1s");
}

#[test]
fn what_no_client_would_take_is_an_error_at_start() {
    let tool = |name: &str| RuntimeTool::new(name, "", |_, _| async {});
    let server = Server::new("x")
        .tools(tools![add])
        .add_tool(tool("add"))
        .add_tool(tool("a b"))
        .add_tool(tool("odd").input_schema(json!(true)))
        .add_tool(tool("out").output_schema(json!({ "type": "array" })));
    let text = server.check().unwrap_err().to_string();
    for part in [
        "two tools are named `add`",
        "tool `a b`: a tool's name has 1 to 128 characters",
        "tool `odd`: its `input_schema` must have `\"type\": \"object\"`",
        "tool `out`: its `output_schema` must have `\"type\": \"object\"`",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}
