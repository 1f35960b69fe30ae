use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t() -> Result<String, Box<dyn std::error::Error>> {
    Ok(String::new())
}

fn main() {
    let _ = tools![t];
}
