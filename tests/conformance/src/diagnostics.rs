//! Tools that the suite uses to see what a 2026-07-28 server does when nothing keeps state.

use mcp_tasks::prelude::*;
use mcp_tasks::{LiveTools, RuntimeTool, Tools};

use crate::rounds::Name;

pub(crate) fn tools() -> Tools {
    tools![
        test_missing_capability,
        test_streaming_elicitation,
        test_logging_tool,
        test_trigger_tool_change,
        test_custom_header,
    ]
}

/// Cannot do without the client's model
#[mcp_tool(needs(sampling))]
async fn test_missing_capability() -> &'static str {
    "The client has a model"
}

/// Asks without a request of its own
#[mcp_tool]
async fn test_streaming_elicitation(ctx: Context) -> Result<&'static str, ToolError> {
    ctx.elicit::<Name>("What is your name?").await?;
    Ok("asked")
}

/// Sends a message to whoever wants it
#[mcp_tool]
async fn test_logging_tool(ctx: Context) -> &'static str {
    ctx.log(LogLevel::Info, "logging tool executed");
    "logged"
}

/// Offers one tool more, and no longer
#[mcp_tool]
async fn test_trigger_tool_change(
    State(live): State<LiveTools>,
) -> Result<&'static str, mcp_tasks::Error> {
    let fleeting = RuntimeTool::new("fleeting", "Is gone again", |_, _| async {});
    live.add(fleeting)?;
    live.remove("fleeting");
    Ok("changed twice")
}

/// Has an argument that proxies can route by
#[mcp_tool]
async fn test_custom_header(
    /// What the header repeats
    #[arg(header = "Value")]
    value: String,
) -> String {
    value
}
