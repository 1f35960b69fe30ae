//! Tools that run as tasks.

use mcp_tasks::prelude::*;
use mcp_tasks::{ErrorCode, Tools};

use crate::rounds::Name;

pub(crate) fn tools() -> Tools {
    tools![
        greet,
        slow_compute,
        failing_job,
        protocol_error_job,
        confirm_delete,
        multi_input,
        test_tool_with_task,
    ]
}

/// Greets
#[mcp_tool]
async fn greet(
    /// Whom to greet
    name: String,
) -> String {
    format!("Hello, {name}!")
}

/// Takes its time
#[mcp_tool(task)]
async fn slow_compute(
    /// How long
    #[arg(min = 0)]
    seconds: f64,
    /// What to call the result
    #[arg(default)]
    label: String,
) -> Result<String, ToolError> {
    tokio::time::sleep(Duration::try_from_secs_f64(seconds)?).await;
    Ok(format!("{label} computed in {seconds} s"))
}

/// Fails after a while
#[mcp_tool(task(required))]
async fn failing_job() -> Result<String, ToolError> {
    tokio::time::sleep(Duration::from_secs(1)).await;
    Err("the job failed".into())
}

/// Ends in an error of the protocol
#[mcp_tool(task)]
async fn protocol_error_job() -> Result<String, ToolError> {
    Err(ToolError::protocol(
        ErrorCode::INTERNAL_ERROR,
        "the job broke the protocol",
    ))
}

/// Deletes a file, after asking
#[mcp_tool(task(required))]
async fn confirm_delete(filename: String, ctx: Context) -> Result<String, ToolError> {
    Ok(if ctx.confirm(format!("Delete {filename}?")).await? {
        format!("{filename} deleted")
    } else {
        format!("{filename} kept")
    })
}

#[derive(Debug, ElicitForm)]
struct Input {
    name: String,
    confirm: bool,
}

/// Asks two questions at once
#[mcp_tool(task(required))]
async fn multi_input(ctx: Context) -> Result<String, ToolError> {
    let first = ctx.elicit::<Input>("The first?").key("first");
    let second = ctx.elicit::<Input>("The second?").key("second");
    let (first, second) = tokio::try_join!(first.ask(), second.ask())?;
    let given = [first, second].into_iter().filter_map(Answer::accepted);
    let names: Vec<_> = given
        .filter(|input| input.confirm)
        .map(|input| input.name)
        .collect();
    Ok(format!("confirmed: {names:?}"))
}

/// Asks who it is for, and only then becomes a task
#[mcp_tool(task(required, begin = "manual"))]
async fn test_tool_with_task(ctx: Context) -> Result<String, ToolError> {
    let answer = ctx
        .elicit::<Name>("What is your name?")
        .key("user_name")
        .await?;
    let Some(Name { name }) = answer.accepted() else {
        return Ok("nothing to do".into());
    };
    ctx.begin_task().await?;
    tokio::time::sleep(Duration::from_millis(200)).await;
    Ok(format!("done for {name}"))
}
