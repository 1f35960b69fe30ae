use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(min = 1)] name: String,
    //~ `min` a bound for another kind of argument
    #[arg(min_len = 1)] tags: Vec<String>,
    //~ `min_len`
    #[arg(max_len = 5)] age: u8,
    //~ `max_len`
    #[arg(max_items = 5)] agreed: Option<bool>,
    //~ `max_items`
    #[arg(default = 0, min = 1)] count: u8,
    //~ `0` a default outside of its bounds
    #[arg(default = 3, max = 2)] size: u8,
    //~ `3`
) -> String {
    format!("{name}{tags:?}{age}{agreed:?}{count}{size}")
}

fn main() {
    let _ = tools![t];
}
