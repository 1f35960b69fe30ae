use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t, t];
    //~ `t` a tool listed twice
}
