//! Calls that are refused before a line of their tool has run.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{Client, ClientKind, every_client};
use mcp_tasks::{FromContext, Requirements};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use tests::session::{Session, text};
use tests::tools::{Probe, add};

use ClientKind::CoreTasks;

/// Cannot do without forms.
#[mcp_tool(task, needs(elicitation))]
async fn survey(State(probe): State<Probe>) -> &'static str {
    let _inside = probe.enter();
    "surveyed"
}

/// Cannot do without a model.
#[mcp_tool(needs(sampling))]
async fn summarise(State(probe): State<Probe>) -> &'static str {
    let _inside = probe.enter();
    "summarised"
}

/// Cannot do without either.
#[mcp_tool(needs(elicitation, sampling))]
async fn interview(State(probe): State<Probe>) -> &'static str {
    let _inside = probe.enter();
    "interviewed"
}

/// Somebody who is never there.
struct Member;

impl FromContext for Member {
    fn from_context(_: &Context) -> Result<Self, ToolError> {
        Err("for members only".into())
    }
}

/// For members.
#[mcp_tool(task)]
async fn lounge(_member: Member, State(probe): State<Probe>) -> &'static str {
    let _inside = probe.enter();
    "welcome"
}

/// An extractor with a bug.
struct Cursed;

impl FromContext for Cursed {
    fn from_context(_: &Context) -> Result<Self, ToolError> {
        panic!("secret-extractor")
    }

    fn requires(_: &mut Requirements) {}
}

/// Takes what cannot be made.
#[mcp_tool(task)]
async fn crypt(_cursed: Cursed, State(probe): State<Probe>) -> &'static str {
    let _inside = probe.enter();
    "entered"
}

/// A value whose decoder has a bug.
#[derive(JsonSchema)]
struct Fuse(u8);

impl<'de> Deserialize<'de> for Fuse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let length = u8::deserialize(deserializer)?;
        panic!("secret-decoder {length}")
    }
}

/// Takes what cannot be decoded.
#[mcp_tool(task)]
async fn ignite(fuse: Fuse, State(probe): State<Probe>) -> String {
    let _inside = probe.enter();
    format!("lit: {}", fuse.0)
}

fn server() -> (Server, Probe) {
    let probe = Probe::default();
    let tools = tools![survey, summarise, interview, lounge, crypt, ignite, add];
    (
        Server::new("refusing").tools(tools).state(probe.clone()),
        probe,
    )
}

async fn without_capabilities(server: &Server, kind: ClientKind) -> Session {
    Session::with(Client::builder(kind).capabilities(json!({})), server).await
}

/// A call that must be answered with a task or an error.
async fn as_core_task(client: &mut Session, tool: &str) -> mcp_tasks::testing::ErrorReply {
    let params = json!({ "name": tool, "arguments": {}, "task": {} });
    client.request("tools/call", params).await.unwrap_err()
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_needs_a_capability_does_not_start_without_it() {
    let (server, probe) = server();
    let cases = [
        (
            "survey",
            json!({ "elicitation": { "form": {} } }),
            "elicitation",
        ),
        ("summarise", json!({ "sampling": {} }), "sampling"),
    ];
    for kind in every_client() {
        let mut client = without_capabilities(&server, kind).await;
        for (tool, required, named) in &cases {
            let called = client.call_plainly(tool, json!({})).await;
            if kind.is_modern() {
                let error = called.unwrap_err();
                assert_eq!(error.code, -32021, "{kind}");
                let data = json!({ "requiredCapabilities": required });
                assert_eq!(error.data, Some(data), "{kind}");
            } else {
                let result = called.unwrap();
                assert_eq!(result["isError"], true, "{kind}");
                assert!(text(&result).contains(named), "{kind}: {result}");
            }
        }
    }
    assert_eq!(probe.started(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_needs_a_capability_starts_with_it() {
    let (server, probe) = server();
    for kind in every_client().filter(|kind| *kind != ClientKind::V2025_03_26) {
        let mut client = Session::open(&server, kind).await;
        assert_eq!(client.call("survey", json!({})).await.text(), "surveyed");
    }
    assert_eq!(probe.started(), 5);
}

#[tokio::test(start_paused = true)]
async fn all_that_a_tool_needs_and_misses_is_named_at_once() {
    let (server, probe) = server();
    for kind in every_client() {
        let mut client = without_capabilities(&server, kind).await;
        let called = client.call_plainly("interview", json!({})).await;
        if kind.is_modern() {
            let required = json!({ "elicitation": { "form": {} }, "sampling": {} });
            let data = json!({ "requiredCapabilities": required });
            assert_eq!(called.unwrap_err().data, Some(data), "{kind}");
        } else {
            let told = text(&called.unwrap()).to_owned();
            assert!(
                told.contains("`elicitation`") && told.contains("`sampling`"),
                "{kind}: {told}"
            );
        }
        // One of the two is not enough.
        let half = Client::builder(kind).capabilities(json!({ "elicitation": {} }));
        let mut client = Session::with(half, &server).await;
        let called = client.call_plainly("interview", json!({})).await;
        if kind.is_modern() {
            let data = json!({ "requiredCapabilities": { "sampling": {} } });
            assert_eq!(called.unwrap_err().data, Some(data), "{kind}");
        } else {
            assert_eq!(called.unwrap()["isError"], true, "{kind}");
        }
    }
    assert_eq!(probe.started(), 0);
}

/// A task or an error is all that a 2025-11-25 call with `task` can be answered with.
#[tokio::test(start_paused = true)]
async fn a_missing_capability_refuses_a_core_task_with_an_error() {
    let (server, probe) = server();
    let mut client = without_capabilities(&server, CoreTasks).await;
    let error = as_core_task(&mut client, "survey").await;
    assert_eq!(error.code, -32602, "{error}");
    assert!(error.message.contains("elicitation"), "{error}");
    assert_eq!(probe.started(), 0);
}

#[tokio::test(start_paused = true)]
async fn an_extractor_that_refuses_says_why_and_makes_no_task() {
    let (server, probe) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let result = client.call_plainly("lounge", json!({})).await.unwrap();
        assert_eq!(result["isError"], true, "{kind}");
        assert_eq!(text(&result), "for members only", "{kind}");
    }
    let mut client = Session::open(&server, CoreTasks).await;
    let error = as_core_task(&mut client, "lounge").await;
    assert_eq!(
        (error.code, error.message.as_str()),
        (-32602, "for members only")
    );
    let listed = client.request("tasks/list", Value::Null).await.unwrap();
    assert_eq!(listed["tasks"], json!([]));
    assert_eq!(probe.started(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_panic_before_the_body_is_told_neutrally_and_the_server_lives() {
    let (server, probe) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        for (tool, arguments) in [("crypt", json!({})), ("ignite", json!({ "fuse": 1 }))] {
            let result = client.call_plainly(tool, arguments.clone()).await.unwrap();
            assert_eq!(result["isError"], true, "{kind}: {result}");
            if kind == CoreTasks {
                let params = json!({ "name": tool, "arguments": arguments, "task": {} });
                let error = client.request("tools/call", params).await.unwrap_err();
                assert_eq!(error.code, -32603, "{kind}: {error}");
            }
        }
        let said = format!("{:?}", client.transcript());
        assert!(!said.contains("secret-"), "{kind}");
        let alive = client.call_plainly("add", json!({ "a": 1, "b": 2 })).await;
        assert_eq!(text(&alive.unwrap()), "3", "{kind}");
    }
    assert_eq!(probe.started(), 0);
}
