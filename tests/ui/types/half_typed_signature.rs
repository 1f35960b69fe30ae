use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(
    /// Whom to greet.
    #[arg(default)]
    nick: String,
    name:
) -> String {
//~ `)` a signature that is being typed
    name + &nick
}

fn main() {
    let _ = tools![t];
}
