use mcp_tasks::prelude::*;

mod jobs {
    /// Imports.
    #[mcp_tasks::mcp_tool]
    pub async fn import() {}

    /// Exports.
    #[mcp_tasks::mcp_tool]
    async fn export() {}

    pub fn all() -> mcp_tasks::Tools {
        mcp_tasks::tools![export, import]
    }
}

fn main() {
    let _ = jobs::all();
    let _ = tools![jobs];
    //~ `jobs` a listed module; list its tools
}
