use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(blocking)]
const unsafe extern "C" fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
