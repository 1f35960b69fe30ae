use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: &str) -> Result<&str, ToolError> {
//~ `&str` a parameter that borrows
//~ `&str` a result that borrows
    Ok(name)
}

fn main() {
    let _ = tools![t];
}
