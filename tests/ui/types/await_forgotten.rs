use mcp_tasks::prelude::*;

async fn name() -> Result<String, ToolError> {
    Ok(String::new())
}

/// Greets.
#[mcp_tool]
async fn t() -> Result<String, ToolError> {
    name()
    //~ `name()` a future in place of its result
}

fn main() {
    let _ = tools![t];
}
