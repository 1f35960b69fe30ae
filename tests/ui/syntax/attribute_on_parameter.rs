use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(#[mcp_tool(default)] name: String) -> String {
//~ `#[mcp_tool(default)]` `#[mcp_tool]` on a parameter
    name
}

fn main() {
    let _ = tools![t];
}
