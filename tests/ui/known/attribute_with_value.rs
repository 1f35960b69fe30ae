use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool = "greet"]
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
