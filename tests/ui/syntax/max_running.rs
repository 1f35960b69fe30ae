use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(max_running = 0)]
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(max_running = "4")]
async fn t2(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2];
}
