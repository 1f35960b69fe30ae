use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
#[tokio::main]
//~ `#[tokio::main]` the program's own function
async fn t1() {}

/// Greets.
#[mcp_tool]
#[tokio::test]
//~ `#[tokio::test]` a test
async fn t2() {}

/// Greets.
#[mcp_tool(blocking)]
#[test]
//~ `#[test]`
fn t3() {}

fn main() {
    let _ = tools![t1, t2, t3];
}
