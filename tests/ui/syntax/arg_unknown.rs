use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(minimum = 1)] age: u8,
    #[arg(defualt)] name: String,
    #[arg = 5] nick: String,
    #[arg(inject, rename = "x", deflt)] ctx: Context,
) -> String {
    let _ = ctx;
    format!("{name}{age}{nick}")
}

fn main() {
    let _ = tools![t];
}
