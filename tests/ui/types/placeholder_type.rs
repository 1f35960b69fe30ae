use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: Vec<_>) -> String {
//~ `_` a `_` in the signature
    name.concat()
}

fn main() {
    let _ = tools![t];
}
