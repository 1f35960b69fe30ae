use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
#[arg(default)]
//~ `#[arg(default)]` `#[arg]` on the function
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
