use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(task = true)]
//~ `true` `task` with a value
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(task(requierd, ttl = "10m"))]
//~ `requierd` a misspelt option of `task`
//~ `ttl` an option that `task` has not
async fn t2(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(task(timeout = "10m"))]
//~ `timeout` an option of the tool inside of `task`
async fn t3(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(task(begin = "later"))]
//~ `"later"` a beginning that there is not
async fn t4(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2, t3, t4];
}
