use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: Strng, db: Databas) -> Greting {
    let _ = (name, db);
    todo!()
}

fn main() {
    let _ = tools![t];
}
