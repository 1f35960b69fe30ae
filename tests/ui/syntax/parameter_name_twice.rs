use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(r#type: String, #[arg(rename = "type")] kind: String) -> String {
//~ `"type"` two arguments with one name
    r#type + &kind
}

fn main() {
    let _ = tools![t];
}
