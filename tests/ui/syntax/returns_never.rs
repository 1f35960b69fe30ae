use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t() -> ! {
//~ `!` no result
    std::process::exit(0)
}

fn main() {
    let _ = tools![t];
}
