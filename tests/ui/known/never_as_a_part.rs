use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t() -> Result<!, ToolError> {
    //~ `!` no value beside an error; use `()`
    Err(ToolError::new("nobody is there"))
}

fn main() {
    let _ = tools![t];
}
