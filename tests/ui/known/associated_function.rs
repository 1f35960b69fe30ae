use mcp_tasks::prelude::*;

struct Greeter;

impl Greeter {
    /// Greets.
    #[mcp_tool]
    //~ `#[mcp_tool]` an associated function; a tool is a free function
    async fn t(name: String) -> String {
        name
    }
}

fn main() {
    let Greeter = Greeter;
    let _ = Greeter::t(String::new());
}
