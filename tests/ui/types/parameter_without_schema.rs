use mcp_tasks::prelude::*;

#[derive(serde::Deserialize)]
struct Foo;

/// Greets.
#[mcp_tool]
async fn t(name: String, foo: Option<Foo>) -> String {
//~ `Option<Foo>` an argument whose type lacks `JsonSchema`
    let _ = foo;
    name
}

fn main() {
    let _ = tools![t];
}
