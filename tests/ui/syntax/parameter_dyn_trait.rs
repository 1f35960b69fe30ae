use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: dyn ToString, nick: Box<dyn ToString + Send>) -> String {
//~ `dyn ToString` a `dyn Trait` parameter
    let _ = nick;
    name.to_string()
}

fn main() {
    let _ = tools![t];
}
