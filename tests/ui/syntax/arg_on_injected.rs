use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(inject, rename = "context")] ctx: Context,
    #[arg(default)] State(name): State<String>,
) -> String {
    let _ = ctx;
    name
}

fn main() {
    let _ = tools![t];
}
