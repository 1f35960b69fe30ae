use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(min = 1)] name: String,
    #[arg(min_len = 1)] tags: Vec<String>,
    #[arg(max_len = 5)] age: u8,
    #[arg(max_items = 5)] agreed: Option<bool>,
    #[arg(default = 0, min = 1)] count: u8,
    #[arg(default = 3, max = 2)] size: u8,
) -> String {
    format!("{name}{tags:?}{age}{agreed:?}{count}{size}")
}

fn main() {
    let _ = tools![t];
}
