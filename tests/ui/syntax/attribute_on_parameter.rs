use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(#[mcp_tool(default)] name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
