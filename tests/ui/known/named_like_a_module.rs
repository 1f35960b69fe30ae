use mcp_tasks::prelude::*;

mod search {
    pub fn run(query: String) -> String {
        query
    }
}

/// Searches.
#[mcp_tool]
async fn search(query: String) -> String {
    self::search::run(query)
}

fn main() {
    let _ = tools![search];
}
