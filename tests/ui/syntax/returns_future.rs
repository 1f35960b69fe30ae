use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
fn t(name: String) -> impl Future<Output = String> {
//~ `impl Future<Output = String>` an `async fn` spelt out
    async { name }
}

fn main() {
    let _ = tools![t];
}
