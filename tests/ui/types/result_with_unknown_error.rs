use mcp_tasks::prelude::*;

struct Foo;

/// Greets.
#[mcp_tool]
async fn t() -> Result<String, Foo> {
    Err(Foo)
}

fn main() {
    let _ = tools![t];
}
