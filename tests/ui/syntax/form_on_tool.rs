use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
#[form(title = "Greeting")]
//~ `#[form(title = "Greeting")]` `#[form]` on the function
async fn t(#[form(default = "x")] name: String) -> String {
//~ `#[form(default = "x")]` `#[form]` on a parameter
    name
}

fn main() {
    let _ = tools![t];
}
