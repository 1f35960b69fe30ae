use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(read_only)]
#[mcp_tool(title = "Greeting")]
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
