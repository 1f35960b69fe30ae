use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: impl ToString) -> String {
    name.to_string()
}

fn main() {
    let _ = tools![t];
}
