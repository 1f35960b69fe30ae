use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(#[cfg_attr(unix, arg(default))] name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
