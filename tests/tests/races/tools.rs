//! What is raced against.

use mcp_tasks::prelude::*;
use mcp_tasks::{Tools, tools};
use tokio::task::yield_now;

use crate::bodies::Bodies;

/// All of them.
pub(crate) fn all() -> Tools {
    tools![plain, work, heed, boom, ask, after, manual]
}

async fn yields(steps: usize) {
    for _ in 0..steps {
        yield_now().await;
    }
}

/// Takes so many steps, and is never a task.
#[mcp_tool]
async fn plain(steps: usize, State(bodies): State<Bodies>) -> String {
    let _inside = bodies.enter();
    yields(steps).await;
    "plain".into()
}

/// Takes so many steps.
#[mcp_tool(task)]
async fn work(round: usize, steps: usize, State(bodies): State<Bodies>) -> String {
    let _inside = bodies.enter();
    yields(steps).await;
    format!("worked {round}")
}

/// Takes so many steps, and gives up between two of them when it is cancelled. Whoever was cancelled before the
/// first one is never started.
#[mcp_tool(task)]
async fn heed(
    round: usize,
    steps: usize,
    token: CancellationToken,
    State(bodies): State<Bodies>,
) -> Result<String, ToolError> {
    let _inside = bodies.enter_unless(&token);
    for _ in 0..steps {
        if token.is_cancelled() {
            return Err("gave up".into());
        }
        yield_now().await;
    }
    Ok(format!("worked {round}"))
}

/// Takes so many steps, then panics, as it does when it is cancelled.
#[mcp_tool(task, allow_unknown)]
async fn boom(steps: usize, token: CancellationToken, State(bodies): State<Bodies>) -> String {
    let _inside = bodies.enter();
    for _ in 0..steps {
        if token.is_cancelled() {
            break;
        }
        yield_now().await;
    }
    // A panic that nobody prints.
    std::panic::resume_unwind(Box::new("boom"))
}

/// Who answers.
#[derive(Debug, ElicitForm)]
struct Name {
    name: String,
}

/// Asks for a name.
#[mcp_tool(task)]
async fn ask(
    round: usize,
    steps: usize,
    ctx: Context,
    State(bodies): State<Bodies>,
) -> Result<String, ToolError> {
    let _inside = bodies.enter();
    yields(steps).await;
    let answer = ctx.elicit::<Name>("Who?").key("name").await?;
    bodies.pass(round);
    Ok(answer.accepted().map_or("nobody".into(), |it| it.name))
}

/// Becomes a task if it takes longer than a moment.
#[mcp_tool(task(after = "1ms"))]
async fn after(round: usize, steps: usize, State(bodies): State<Bodies>) -> String {
    let _inside = bodies.enter();
    yields(steps).await;
    tokio::time::sleep(Duration::from_millis(steps as u64 % 3)).await;
    format!("worked {round}")
}

/// Becomes a task by its own will.
#[mcp_tool(task(begin = "manual"))]
async fn manual(
    round: usize,
    steps: usize,
    ctx: Context,
    State(bodies): State<Bodies>,
) -> Result<String, ToolError> {
    let _inside = bodies.enter();
    yields(steps).await;
    ctx.begin_task().await?;
    yields(steps).await;
    Ok(format!("worked {round}"))
}
