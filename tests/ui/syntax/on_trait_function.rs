use mcp_tasks::prelude::*;

trait Greeter {
    /// Greets.
    #[mcp_tool]
    async fn t(name: String) -> String;
}

fn main() {}
