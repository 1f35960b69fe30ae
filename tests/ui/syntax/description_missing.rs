use mcp_tasks::prelude::*;

#[mcp_tool]
async fn t(name: String) -> String {
//~ `t` no description
    name
}

fn main() {
    let _ = tools![t];
}
