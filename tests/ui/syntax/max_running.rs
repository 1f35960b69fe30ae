use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(max_running = 0)]
//~ `0` room for no run
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(max_running = "4")]
//~ `"4"` a count that is no number
async fn t2(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2];
}
