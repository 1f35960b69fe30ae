use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(keep = "10m", required)]
//~ `keep` an option of `task` outside of it
//~ `required`
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
