use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
#[arg(default)]
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
