use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(title = "Greeting", title = "Welcome")]
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
