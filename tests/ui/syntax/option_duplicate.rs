use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(title = "Greeting", title = "Welcome")]
//~ `title` an option given twice
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t];
}
