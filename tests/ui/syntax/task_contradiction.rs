use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(task(required, after = "200ms"))]
//~ `after` `after` with `required`
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(task(begin = "manual", after = "200ms"))]
//~ `after` `after` with `begin`
async fn t2(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2];
}
