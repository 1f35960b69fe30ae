use mcp_tasks::prelude::*;
use serde_json::Value;
//~ `serde_json` a tool named like a crate that its module imports from

/// Serialises.
#[mcp_tool]
async fn serde_json(text: String) -> String {
    Value::from(text).to_string()
}

fn main() {
    let _ = tools![serde_json];
}
