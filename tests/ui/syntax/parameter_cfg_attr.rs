use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(#[cfg_attr(unix, arg(default))] name: String) -> String {
//~ `#[cfg_attr(unix, arg(default))]` `#[cfg_attr]` on a parameter
    name
}

fn main() {
    let _ = tools![t];
}
