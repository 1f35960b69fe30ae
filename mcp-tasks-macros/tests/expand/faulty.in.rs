/// Greets.
#[mcp_tool(titel = "Greeting")]
fn greet(
    /// Whom
    #[arg(min_length = 1)]
    name: &str
) -> String {
    name.
}
