use mcp_tasks::prelude::*;

const LEAST: u8 = 1;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(min = 9, max = 1)] age: u8,
    //~ `1` bounds with no value between them
    #[arg(min = LEAST)] size: u8,
    //~ `LEAST` a bound that is no number literal
    #[arg(min_len = 5, max_len = 4)] name: String,
    //~ `4`
    #[arg(max_items = "many")] tags: Vec<String>,
    //~ `"many"` a length that is no number
) -> String {
    format!("{age}{size}{name}{tags:?}")
}

fn main() {
    let _ = tools![t];
}
