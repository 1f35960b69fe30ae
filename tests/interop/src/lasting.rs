//! Tools that last until another call ends them, and those that fail on the way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use mcp_tasks::prelude::*;
use mcp_tasks::{ErrorCode, Tools};
use tokio::sync::Notify;

pub(crate) fn tools() -> Tools {
    tools![build, approve, ended, import, migrate]
}

/// What one call pins up for another to find, by name.
#[derive(Clone, Default)]
pub(crate) struct Board(Arc<Mutex<HashMap<String, Arc<Notify>>>>);

impl Board {
    fn note(&self, name: String) -> Arc<Notify> {
        let mut notes = self
            .0
            .lock()
            .expect("nothing panics while it holds the board");
        Arc::clone(notes.entry(name).or_default())
    }
}

/// Builds a target; the second half waits for approval
#[mcp_tool(task)]
async fn build(
    /// What to build
    target: String,
    State(board): State<Board>,
    ctx: Context,
) -> String {
    let _end = NoteOnDrop(board.note(format!("ended {target}")));
    ctx.progress(1, 2, "waiting for approval");
    board.note(format!("approved {target}")).notified().await;
    ctx.progress(2, 2, "linking");
    format!("built {target}")
}

/// Approves a build, started or yet to start
#[mcp_tool]
async fn approve(
    /// What is built
    target: String,
    State(board): State<Board>,
) {
    board.note(format!("approved {target}")).notify_one();
}

/// Answers once a build has ended, done or cancelled
#[mcp_tool(timeout = "30s")]
async fn ended(
    /// What was built
    target: String,
    State(board): State<Board>,
) -> String {
    board.note(format!("ended {target}")).notified().await;
    format!("the build of {target} has ended")
}

/// Imports a file, but finds none
#[mcp_tool(task)]
async fn import(file: String) -> Result<String, ToolError> {
    Err(format!("no such file: {file}").into())
}

/// Migrates a database, but breaks the protocol
#[mcp_tool(task)]
async fn migrate() -> Result<String, ToolError> {
    let error = ToolError::protocol(ErrorCode::INTERNAL_ERROR, "the migration broke off");
    Err(error)
}

/// Notifies when whoever holds it ends, however that comes.
struct NoteOnDrop(Arc<Notify>);

impl Drop for NoteOnDrop {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}
