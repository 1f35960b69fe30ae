use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(name =, title, read_only)]
//~ `name` no expression after `=`
//~ `title` an option without its value
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(read_only = true idempotent)]
//~ `idempotent` no comma
async fn t2(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool("greet", read_only)]
//~ `"greet"` a value without its option
async fn t3(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2, t3];
}
