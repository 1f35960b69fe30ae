use mcp_tasks::prelude::*;

trait Greeter {
    /// Greets.
    #[mcp_tool]
    async fn t(
    //~ `t` a function without a body
        /// Whom to greet.
        name: String,
    ) -> String;
}

struct Polite;

impl Greeter for Polite {
    async fn t(name: String) -> String {
        name
    }
}

fn main() {
    let _ = Polite::t(String::new());
}
