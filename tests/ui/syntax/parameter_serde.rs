use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(#[serde(default)] name: String) -> String {
//~ `#[serde(default)]` serde's attribute on a parameter
    name
}

fn main() {
    let _ = tools![t];
}
