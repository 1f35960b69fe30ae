use mcp_tasks::prelude::*;

/// Searches.
#[mcp_tool]
async fn search(query: String) -> String {
    query
}

mod jobs {
    use mcp_tasks::prelude::*;

    /// Searches for jobs.
    #[mcp_tool(name = "search")]
    pub async fn search_jobs(query: String) -> String {
        query
    }
}

fn main() {
    let _ = tools![search, #[cfg(any())] search, jobs::search_jobs];
    //~ `jobs::search_jobs` two tools with one name
}
