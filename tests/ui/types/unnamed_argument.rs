use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(_: String, ref nick: String) -> String {
//~ `String` an argument without a name
    nick.clone()
}

fn main() {
    let _ = tools![t];
}
