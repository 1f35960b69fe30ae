use mcp_tasks::prelude::*;

struct Foo;

/// Greets.
#[mcp_tool]
async fn t(name: String, foo: Foo) -> String {
//~ `Foo` a type that is neither argument nor injected
    let Foo = foo;
    name
}

fn main() {
    let _ = tools![t];
}
