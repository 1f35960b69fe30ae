use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(crate = mcp_tasks)]
//~ `mcp_tasks` a path of the crate that depends on where it stands
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(crate = "mcp_tasks")]
//~ `"mcp_tasks"` a path of the crate in quotes
async fn t2(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2];
}
