use mcp_tasks::prelude::*;

#[derive(serde::Deserialize)]
struct Foo;

/// Greets.
#[mcp_tool]
async fn t(name: String, foo: Option<Foo>) -> String {
    let _ = foo;
    name
}

fn main() {
    let _ = tools![t];
}
