use mcp_tasks::prelude::*;

struct Foo;

/// Greets.
#[mcp_tool]
async fn t() -> Result<Foo, ToolError> {
//~ `Result<Foo, ToolError>` a `Result` of another type
    Ok(Foo)
}

fn main() {
    let _ = tools![t];
}
