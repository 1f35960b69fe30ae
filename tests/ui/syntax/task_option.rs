use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(task = true)]
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(task(requierd, ttl = "10m"))]
async fn t2(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(task(timeout = "10m"))]
async fn t3(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(task(begin = "later"))]
async fn t4(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2, t3, t4];
}
