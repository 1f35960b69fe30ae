use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(read_only)]
#[mcp_tool(title = "Greeting")]
//~ `#[mcp_tool(title = "Greeting")]` `#[mcp_tool]` given twice
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
