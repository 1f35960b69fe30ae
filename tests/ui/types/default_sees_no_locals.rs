use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: String, #[arg(default = call)] nick: String) -> String {
//~ `call` a default that would see the expansion's own names
    name + &nick
}

fn main() {
    let _ = tools![t];
}
