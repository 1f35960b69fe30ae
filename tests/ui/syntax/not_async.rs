use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
fn t(name: String) -> String {
//~ `fn` a function that is neither async nor blocking
    name
}

fn main() {
    let _ = tools![t];
}
