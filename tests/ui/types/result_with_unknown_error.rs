use mcp_tasks::prelude::*;

struct Foo;

/// Greets.
#[mcp_tool]
async fn t() -> Result<String, Foo> {
//~ `Result<String, Foo>` an error type that is no error
    Err(Foo)
}

fn main() {
    let _ = tools![t];
}
