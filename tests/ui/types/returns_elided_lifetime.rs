use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t() -> &str {
//~ `&` a result that borrows from nothing
    "hello"
}

fn main() {
    let _ = tools![t];
}
