use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(read_only = "yes", allow_unknown(true))]
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
