use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
#[form(title = "Greeting")]
async fn t(#[form(default = "x")] name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
