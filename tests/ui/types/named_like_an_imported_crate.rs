use mcp_tasks::prelude::*;
use serde_json::Value;

/// Serialises.
#[mcp_tool]
async fn serde_json(text: String) -> String {
    Value::from(text).to_string()
}

fn main() {
    let _ = tools![serde_json];
}
