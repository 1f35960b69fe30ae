use mcp_tasks::prelude::*;

mod search {
    pub fn run(query: String) -> String {
        query
    }
}

/// Searches.
#[mcp_tool]
async fn search(query: String) -> String {
    search::run(query)
}

fn main() {
    let _ = tools![search];
}

// rustc refuses the name wherever it means the hidden struct. A macro cannot see the module.
