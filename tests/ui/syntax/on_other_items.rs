use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
struct Greeter {
//~ `struct Greeter` `#[mcp_tool]` on something else than a function
    /// Whom to greet.
    name: String,
}

/// Greets.
#[mcp_tool]
impl Greeter {
//~ `impl Greeter`
    const NAME: &str = "greeter";
}

/// Greets.
#[mcp_tool]
pub mod greeter {
//~ `mod greeter`
    pub const NAME: &str = "greeter";
}

fn main() {
    let _ = (Greeter { name: String::new() }, Greeter::NAME, greeter::NAME);
}
