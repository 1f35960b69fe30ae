use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(needs(elicit, roots))]
//~ `elicit` a need that there is not
//~ `roots`
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(needs)]
//~ `needs` `needs` without a list
async fn t2(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2];
}
