use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(read_only, destructive)]
//~ `destructive` hints that contradict each other
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
