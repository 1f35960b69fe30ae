use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: String, #[cfg(unix)] nick: String) -> String {
//~ `#[cfg(unix)]` `#[cfg]` on a parameter
    name + &nick
}

fn main() {
    let _ = tools![t];
}
