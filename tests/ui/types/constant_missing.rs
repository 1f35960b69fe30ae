use mcp_tasks::prelude::*;

const COUNT: usize = 3;

/// Greets.
#[mcp_tool(timeout = LIMIT, title = COUNT, max_running = MANY)]
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
