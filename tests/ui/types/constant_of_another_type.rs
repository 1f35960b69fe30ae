use mcp_tasks::prelude::*;

const TIMEOUT: u64 = 30;

/// Greets.
#[mcp_tool(timeout = TIMEOUT)]
//~ `TIMEOUT` a constant that is no `Duration`
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
