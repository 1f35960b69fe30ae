use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
fn t(name: String) -> impl Future<Output = String> {
    async { name }
}

fn main() {
    let _ = tools![t];
}
