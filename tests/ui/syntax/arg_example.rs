use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(#[arg(example = String::new())] name: String, #[arg(example)] nick: String) -> String {
    name + &nick
}

fn main() {
    let _ = tools![t];
}
