use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn char(code: u32) -> String {
//~ `char` a function named like a primitive type
    code.to_string()
}

fn main() {
    let _ = tools![char];
}
