use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
struct Greeter {
    /// Whom to greet.
    name: String,
}

/// Greets.
#[mcp_tool]
impl Greeter {
    const NAME: &str = "greeter";
}

/// Greets.
#[mcp_tool]
pub mod greeter {
    pub const NAME: &str = "greeter";
}

fn main() {
    let _ = (Greeter { name: String::new() }, Greeter::NAME, greeter::NAME);
}
