use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(default = "", min_len = 1)] name: String,
    //~ `""` a default that is too short
    #[arg(default = "äöü", max_len = 2)] title: String,
    //~ `"äöü"` a default that is too long
    #[arg(example = "a", min_len = 2)] note: String,
    //~ `"a"` an example that is too short
    #[arg(example = [1, 2], max_items = 1)] sizes: Vec<u8>,
    //~ `[1, 2]` an example with too many items
    #[arg(example = 0, min = 1)] age: u8,
    //~ `0` an example outside of its bounds
    #[arg(default = "äö", max_len = 2)] fine: String,
) -> String {
    format!("{name}{title}{note}{sizes:?}{age}{fine}")
}

fn main() {
    let _ = tools![t];
}
