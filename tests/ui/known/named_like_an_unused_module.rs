use mcp_tasks::prelude::*;

mod search {
    pub fn run(query: String) -> String {
        query
    }
}

use search::run;

/// Searches.
#[mcp_tool]
async fn search(query: String) -> String {
    run(query)
}

fn main() {
    let _ = tools![search];
}
