use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(readOnlyHint = true, inputSchema = "{}", r#titel = "Greeting")]
//~ `readOnlyHint` an option as the wire spells it
//~ `inputSchema`
//~ `r#titel` a misspelt option as a raw identifier
async fn t(#[arg(minLength = 1)] name: String) -> String {
    //~ `minLength` an option of `#[arg]` as JSON Schema spells it
    name
}

fn main() {
    let _ = tools![t];
}
