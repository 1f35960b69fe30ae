use mcp_tasks::prelude::*;

struct Foo;

/// Greets.
#[mcp_tool]
async fn t() -> Foo {
    Foo
}

fn main() {
    let _ = tools![t];
}
