use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(timeout = "1.5s")]
//~ `"1.5s"` a duration that is no whole number
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(timeout = 30, cancel_grace = "5")]
//~ `30` a duration without its unit
//~ `"5"`
async fn t2(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(cancel_grace = "5 weeks")]
//~ `"5 weeks"` a duration in an unknown unit
async fn t3(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2, t3];
}
