use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(blocking)]
fn t(name: String, _: ...) -> String {
//~ `_: ...` a variadic function
    name
}

fn main() {
    let _ = tools![t];
}
