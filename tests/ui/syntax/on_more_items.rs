use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
enum Greeting {
    Short,
}

/// Greets.
#[mcp_tool]
trait Greets {}

/// Greets.
#[mcp_tool]
const NAME: &str = "greeter";

/// Greets.
#[mcp_tool]
use std::string::String as Text;

impl Greets for Greeting {}

fn main() {
    let _ = (Greeting::Short, NAME, Text::new());
}
