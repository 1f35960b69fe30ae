use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: Strng, db: Databas) -> Greting {
//~ `Strng` a misspelt type
//~ `Databas` a type that is not imported
//~ `Greting` a result type that is not imported
    let _ = (name, db);
    unreachable!()
}

fn main() {
    let _ = tools![t];
}
