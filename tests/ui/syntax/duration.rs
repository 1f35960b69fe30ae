use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(timeout = "1.5s")]
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(timeout = 30, cancel_grace = "5")]
async fn t2(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(cancel_grace = "5 weeks")]
async fn t3(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2, t3];
}
