use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t1() -> Vec<String> {
    //~ `Vec<String>` data without `Json`
    Vec::new()
}

/// Greets.
#[mcp_tool]
async fn t2() -> Result<serde_json::Value, ToolError> {
    //~ `Result<serde_json::Value, ToolError>`
    Ok(serde_json::Value::Null)
}

/// Greets.
#[mcp_tool]
async fn t3() -> (String, u8) {
    //~ `(String, u8)`
    (String::new(), 1)
}

fn main() {
    let _ = tools![t1, t2, t3];
}
