use mcp_tasks::prelude::*;

struct Foo;

/// Greets.
#[mcp_tool]
async fn t() -> Result<Foo, ToolError> {
    Ok(Foo)
}

fn main() {
    let _ = tools![t];
}
