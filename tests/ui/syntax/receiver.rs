use mcp_tasks::prelude::*;

struct Greeter;

impl Greeter {
    /// Greets.
    #[mcp_tool]
    async fn t(&self, name: String) -> String {
    //~ `&self` a method
        name
    }
}

fn main() {
    let _ = Greeter.t(String::new());
}
