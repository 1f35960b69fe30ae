use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(read_only = "yes", allow_unknown(true))]
//~ `"yes"` a flag that is no `bool`
//~ `allow_unknown` a flag in parentheses
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
