use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn char(code: u32) -> String {
    code.to_string()
}

fn main() {
    let _ = tools![char];
}
