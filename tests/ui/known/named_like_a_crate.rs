use mcp_tasks::prelude::*;

/// Serialises.
#[mcp_tool]
async fn serde_json(text: String) -> String {
    serde_json::from_str(&text).unwrap_or_default()
    //~ `serde_json` a tool named like a crate that it uses
}

fn main() {
    let _ = tools![serde_json];
}
