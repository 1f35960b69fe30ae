use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(crate = mcp_tasks)]
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(crate = "mcp_tasks")]
async fn t2(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2];
}
