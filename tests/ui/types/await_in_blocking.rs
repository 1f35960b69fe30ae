use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(blocking)]
fn t(name: String) -> String {
    std::future::ready(()).await;
    name
}

fn main() {
    let _ = tools![t];
}
