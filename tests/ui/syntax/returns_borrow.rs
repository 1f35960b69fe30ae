use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: &str) -> Result<&str, ToolError> {
    Ok(name)
}

fn main() {
    let _ = tools![t];
}
