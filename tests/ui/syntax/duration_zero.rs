use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(timeout = "0s", task(poll_interval = "0s"))]
//~ `"0s"` a time limit of zero
//~ `"0s"` a pause of zero
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
