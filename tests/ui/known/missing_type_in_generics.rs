use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(State(db): State<Databas>) -> String {
//~ `Databas` a type in angle brackets that is not imported
    let _ = db;
    String::new()
}

fn main() {
    let _ = tools![t];
}
