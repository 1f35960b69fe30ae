use mcp_tasks::prelude::*;

struct Foo;

/// Greets.
#[mcp_tool]
async fn t() -> Foo {
//~ `Foo` a result of another type
    Foo
}

fn main() {
    let _ = tools![t];
}
