use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: String, #[arg(default = name)] nick: String) -> String {
//~ `name` a default made of another parameter
    name + &nick
}

fn main() {
    let _ = tools![t];
}
