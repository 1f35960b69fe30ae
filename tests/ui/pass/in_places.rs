use mcp_tasks::prelude::*;

mod jobs {
    use mcp_tasks::prelude::*;

    /// Imports jobs.
    #[mcp_tool]
    pub(crate) async fn import(file: String) -> String {
        file
    }

    pub mod nested {
        /// Starts, like one of the trait's own functions.
        #[mcp_tasks::mcp_tool]
        pub async fn start() {}

        /// Describes, like the other.
        #[mcp_tasks::mcp_tool]
        pub async fn describe(d: String, call: u8, faults: bool) -> String {
            format!("{d}{call}{faults}")
        }
    }
}

use jobs::import as renamed;

fn main() {
    /// Lives in a function.
    #[mcp_tool]
    async fn local(r#in: String) -> String {
        r#in
    }

    let _ = tools![jobs::import, local, jobs::nested::start, self::jobs::nested::describe];
    let _ = tools![renamed];
    let _ = local(String::new());
}
