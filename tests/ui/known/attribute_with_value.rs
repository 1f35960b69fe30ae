use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool = "greet"]
//~ `#[mcp_tool = "greet"]` `#[mcp_tool]` with a value; write `#[mcp_tool(name = "greet")]`
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
