use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t(String::new()), t];
    let _ = tools!["t", t];
    let _ = tools![t t];
    let _ = tools![#[inline] t];
    let _ = tools![crate = mcp_tasks; t];
    let _ = tools![crate = ::mcp_tasks, t];
}
