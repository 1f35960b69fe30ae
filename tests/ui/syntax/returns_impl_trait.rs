use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: String) -> Result<impl ToString, ToolError> {
//~ `impl ToString` an `impl Trait` in the result
    Ok(name)
}

fn main() {
    let _ = tools![t];
}
