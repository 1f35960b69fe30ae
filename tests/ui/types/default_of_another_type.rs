use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(#[arg(default = "many")] count: u8, #[arg(default = 5)] name: String) -> String {
//~ `"many"` a text as default of another type
//~ `5` a default of another type
    format!("{name}{count}")
}

fn main() {
    let _ = tools![t];
}
