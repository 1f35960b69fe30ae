use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: String) -> String {
    name
}

/// Greets again.
#[mcp_tool]
async fn t(name: String) -> String {
//~ `async fn t(name: String) -> String` two functions with one name
    name
}

fn main() {
    let _ = tools![t];
}
