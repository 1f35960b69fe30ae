use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: String) -> String {
    name.
}
//~ `}` a body that is being typed

fn main() {
    let _ = tools![t];
}
