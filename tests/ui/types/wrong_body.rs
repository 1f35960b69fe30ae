use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: String) -> String {
    name.len()
}

fn main() {
    let _ = tools![t];
}
