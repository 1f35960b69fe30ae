use mcp_tasks::prelude::*;

struct Greeter;

impl Greeter {
    /// Greets.
    #[mcp_tool]
    async fn t(name: String) -> String {
        name
    }
}

fn main() {
    let Greeter = Greeter;
    let _ = Greeter::t(String::new());
}
