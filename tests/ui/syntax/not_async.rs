use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
