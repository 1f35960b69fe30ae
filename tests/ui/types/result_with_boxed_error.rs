use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t() -> Result<String, Box<dyn std::error::Error>> {
//~ `Result<String, Box<dyn std::error::Error>>` an error that is not `Send` and `Sync`
    Ok(String::new())
}

fn main() {
    let _ = tools![t];
}
