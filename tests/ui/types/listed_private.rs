use mcp_tasks::prelude::*;

mod jobs {
    /// Exports.
    #[mcp_tasks::mcp_tool]
    async fn export() {}

    pub fn all() -> mcp_tasks::Tools {
        mcp_tasks::tools![export]
    }
}

fn main() {
    let _ = jobs::all();
    let _ = tools![jobs::export];
    //~ `export` a listed tool that is not `pub`
}
