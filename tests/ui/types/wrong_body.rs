use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: String) -> String {
    name.len()
    //~ `name.len()` a body of another type
}

fn main() {
    let _ = tools![t];
}
