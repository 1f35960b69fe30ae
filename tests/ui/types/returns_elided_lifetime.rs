use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t() -> &str {
    "hello"
}

fn main() {
    let _ = tools![t];
}
