use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(timeout = "0s", task(poll_interval = "0s"))]
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
