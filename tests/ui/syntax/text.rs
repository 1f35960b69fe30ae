use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(description = " ")]
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(title = 5)]
async fn t2(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2];
}
