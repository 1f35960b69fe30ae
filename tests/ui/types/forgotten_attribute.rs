use mcp_tasks::prelude::*;

/// Greets.
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
    //~ `t` a listed function without `#[mcp_tool]`
}
