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
    //~ `search` a tool named like a module that it uses
}

fn main() {
    let _ = tools![search];
}
