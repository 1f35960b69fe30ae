use mcp_tasks::prelude::*;

/// Searches.
#[mcp_tool]
async fn search(query: String) -> String {
    query
}

fn main() {
    let _ = tools![serach, search];
    //~ `serach` a listed tool that is misspelt
}
