use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(#[arg(example = String::new())] name: String, #[arg(example)] nick: String) -> String {
//~ `String::new()` an example that is no literal
//~ `example` an option of `#[arg]` without its value
    name + &nick
}

fn main() {
    let _ = tools![t];
}
