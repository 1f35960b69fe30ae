use mcp_tasks::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Foo;

/// Greets.
#[mcp_tool]
async fn t(#[arg(default)] foo: Foo) -> String {
//~ `default` `default` for a type without `Default`
    let Foo = foo;
    String::new()
}

fn main() {
    let _ = tools![t];
}
