use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(inject, rename = "context")] ctx: Context,
    //~ `rename` an option of arguments on an injected value
    #[arg(default)] State(name): State<String>,
    //~ `default`
) -> String {
    let _ = ctx;
    name
}

fn main() {
    let _ = tools![t];
}
