use mcp_tasks::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Foo;

impl mcp_tasks::FromContext for Foo {
    fn from_context(_: &Context) -> Result<Self, ToolError> {
        Ok(Foo)
    }
}

/// Greets.
#[mcp_tool]
async fn t(name: String, foo: Foo) -> String {
//~ `Foo` a type that is argument and injected: say `#[arg(inject)]`
    let Foo = foo;
    name
}

fn main() {
    let _ = tools![t];
}
