use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: Vec<Self>) -> String {
//~ `Self` `Self` in the signature
    let _ = name;
    String::new()
}

fn main() {
    let _ = tools![t];
}
