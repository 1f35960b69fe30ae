use mcp_tasks::prelude::*;

mod search {
    pub fn run(query: String) -> String {
        query
    }
}

use search::run;

/// Searches.
#[mcp_tool]
//~ `#[mcp_tool]` a tool named like a module beside it; rename one
async fn search(query: String) -> String {
    run(query)
}

fn main() {
    let _ = tools![search];
}
