use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t((x, y): (u8, u8)) -> String {
//~ `(u8, u8)` a pattern for an argument
    format!("{x}{y}")
}

fn main() {
    let _ = tools![t];
}
