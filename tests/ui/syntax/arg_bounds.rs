use mcp_tasks::prelude::*;

const LEAST: u8 = 1;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(min = 9, max = 1)] age: u8,
    #[arg(min = LEAST)] size: u8,
    #[arg(min_len = 5, max_len = 4)] name: String,
    #[arg(max_items = "many")] tags: Vec<String>,
) -> String {
    format!("{age}{size}{name}{tags:?}")
}

fn main() {
    let _ = tools![t];
}
