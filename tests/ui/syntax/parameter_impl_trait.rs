use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: impl ToString) -> String {
//~ `impl ToString` an `impl Trait` parameter
    name.to_string()
}

fn main() {
    let _ = tools![t];
}
