use mcp_tasks::prelude::*;

struct Foo;

fn fail() -> Result<(), Foo> {
    Err(Foo)
}

/// Greets.
#[mcp_tool]
async fn t() -> Result<String, ToolError> {
    fail()?;
    //~ `?` `?` on what is no error
    Ok(String::new())
}

fn main() {
    let _ = tools![t];
}
