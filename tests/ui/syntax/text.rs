use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(description = " ")]
//~ `" "` an empty text
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(title = 5)]
//~ `5` a text that is no string
async fn t2(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2];
}
