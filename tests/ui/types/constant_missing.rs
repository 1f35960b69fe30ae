use mcp_tasks::prelude::*;

const COUNT: usize = 3;

/// Greets.
#[mcp_tool(timeout = LIMIT, title = COUNT, max_running = MANY)]
//~ `LIMIT` a constant that there is not
//~ `COUNT` a constant of another type than text
//~ `MANY` a constant that there is not
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
