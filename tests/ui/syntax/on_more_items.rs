use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
enum Greeting {
//~ `enum Greeting` `#[mcp_tool]` on something else than a function
    Short,
}

/// Greets.
#[mcp_tool]
trait Greets {}
//~ `trait Greets`

/// Greets.
#[mcp_tool]
const NAME: &str = "greeter";
//~ `const NAME`

/// Greets.
#[mcp_tool]
use std::string::String as Text;
//~ `use std`

impl Greets for Greeting {}

fn main() {
    let _ = (Greeting::Short, NAME, Text::new());
}
