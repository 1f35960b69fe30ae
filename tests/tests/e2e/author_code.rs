//! What an author writes beside a tool's body runs inside the server too: defaults, injected values, a type's own
//! decoding, errors.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{Client, ClientKind, every_client};
use mcp_tasks::{FromContext, Tools};
use serde_json::json;
use tests::session::{Session, text};

use ClientKind::{CoreTasks, V2026_07_28};

const UNSTRUCTURED: &str =
    "the tool's output schema promises structured content, and its result has none";
const NEUTRAL: &str = "the tool failed unexpectedly";

/// Has a default that is never made.
#[mcp_tool(task)]
async fn bad_default(#[arg(default = panic!("secret"))] count: u64) -> u64 {
    count
}

struct Broken;

impl FromContext for Broken {
    fn from_context(_: &Context) -> Result<Self, ToolError> {
        panic!("secret")
    }
}

/// Takes what cannot be injected.
#[mcp_tool(task)]
async fn bad_injection(_broken: Broken) {}

#[derive(schemars::JsonSchema)]
struct Fragile;

impl<'de> serde::Deserialize<'de> for Fragile {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        panic!("secret")
    }
}

/// Takes what cannot be decoded.
#[mcp_tool(task)]
async fn bad_argument(_fragile: Option<Fragile>) {}

/// An error that fails to name its source.
#[derive(Debug)]
struct Sourceless;

impl fmt::Display for Sourceless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sourceless")
    }
}

impl Error for Sourceless {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        panic!("secret")
    }
}

/// Fails with an error that panics.
#[mcp_tool(task)]
async fn bad_error() -> Result<(), Sourceless> {
    Err(Sourceless)
}

/// Still works.
#[mcp_tool]
async fn fine() -> &'static str {
    "fine"
}

fn panicking() -> Tools {
    tools![bad_default, bad_injection, bad_argument, bad_error, fine]
}

#[tokio::test(start_paused = true)]
async fn a_panic_before_the_body_is_answered_and_the_server_lives() {
    let server = Server::new("panicking").tools(panicking());
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        for (tool, arguments) in [
            ("bad_default", json!({})),
            ("bad_injection", json!({})),
            ("bad_argument", json!({ "_fragile": 1 })),
        ] {
            let id = client.start_call(tool, arguments).await;
            let response = client.response(&id).await;
            if kind == CoreTasks {
                let error = response.unwrap_err();
                assert_eq!((error.code, &*error.message), (-32603, NEUTRAL), "{tool}");
            } else {
                let result = response.unwrap();
                assert_eq!(result["isError"], true, "{kind}: {tool}");
                assert_eq!(text(&result), NEUTRAL, "{kind}: {tool}");
            }
        }
        assert_eq!(client.call("fine", json!({})).await.text(), "fine");
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_whose_source_panics_is_a_neutral_error_result() {
    let server = Server::new("panicking").tools(panicking());
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("bad_error", json!({})).await;
        assert!(outcome.is_error(), "{kind}");
        assert!(!outcome.text().contains("secret"), "{kind}");
        assert_eq!(client.call("fine", json!({})).await.text(), "fine");
    }
}

/// An error as `#[error(transparent)]` makes it: in everything like the one inside.
#[derive(Debug)]
struct Transparent(AskError);

impl fmt::Display for Transparent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Transparent {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// Lets a refused question out in one of the wrappings that errors have.
#[mcp_tool]
async fn let_out(wrapping: String, ctx: Context) -> Result<(), ToolError> {
    let Err(error) = ctx.confirm("Go on?").await else {
        return Ok(());
    };
    match wrapping.as_str() {
        "none" => Err(error)?,
        "box" => Err(Box::new(error))?,
        "dyn" => Err(Box::<dyn Error + Send + Sync>::from(error))?,
        "arc" => Err(Arc::new(error))?,
        "io" => Err(std::io::Error::other(error))?,
        "io twice" => Err(std::io::Error::other(std::io::Error::other(error)))?,
        "transparent" => Err(Transparent(error))?,
        _ => Err(error.to_string())?,
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_refused_question_says_what_is_missing_however_it_is_wrapped() {
    let server = Server::new("asking").tools(tools![let_out]);
    let deaf = Client::builder(V2026_07_28).capabilities(json!({}));
    let mut client = Session::with(deaf, &server).await;
    for wrapping in ["none", "box", "dyn", "arc", "io", "io twice", "transparent"] {
        let outcome = client
            .call("let_out", json!({ "wrapping": wrapping }))
            .await;
        let error = outcome.error();
        assert_eq!(error.code, -32021, "{wrapping}");
        let data = error.data.as_ref().expect("what is missing");
        let missing = &data["requiredCapabilities"];
        assert!(missing["elicitation"].is_object(), "{wrapping}: {data}");
    }
    // A text is no longer a question that was refused.
    let outcome = client.call("let_out", json!({ "wrapping": "text" })).await;
    assert!(outcome.is_error());
}

/// Promises what a text cannot hold.
#[mcp_tool(
    task,
    output_schema = r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#
)]
async fn broken_promise(result: String) -> Result<CallToolResult, ToolError> {
    let answer = CallToolResult::new().text("an answer");
    match result.as_str() {
        "structured" => Ok(answer.structured(&json!({ "a": "b" }))),
        "list" => Ok(answer.structured(&["b"])),
        "error result" => Ok(answer.is_error(true)),
        "error" => Err("no answer".into()),
        _ => Ok(answer),
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_without_the_structured_content_of_its_schema_is_an_error() {
    let server = Server::new("promising").tools(tools![broken_promise]);
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        for (result, expected) in [
            ("structured", "an answer"),
            ("error result", "an answer"),
            ("error", "no answer"),
            ("text", UNSTRUCTURED),
            ("list", UNSTRUCTURED),
        ] {
            let outcome = client
                .call("broken_promise", json!({ "result": result }))
                .await;
            assert_eq!(outcome.text(), expected, "{kind}: {result}");
            assert_eq!(
                outcome.is_error(),
                result != "structured",
                "{kind}: {result}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_policy_may_name_any_number_of_runs() {
    for runs in [0, usize::MAX] {
        let server = Server::new("counting")
            .tools(tools![fine])
            .configure("fine", move |policy| policy.max_running = Some(runs));
        let mut client = Session::open(&server, V2026_07_28).await;
        assert_eq!(
            client.call("fine", json!({})).await.text(),
            "fine",
            "{runs}"
        );
    }
}
