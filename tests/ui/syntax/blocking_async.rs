use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(blocking)]
//~ `blocking` `blocking` on an `async fn`
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
