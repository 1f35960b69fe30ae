use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(minimum = 1)] age: u8,
    //~ `minimum` a misspelt option of `#[arg]`
    #[arg(defualt)] name: String,
    //~ `defualt`
    #[arg = 5] nick: String,
    //~ `#[arg = 5]` `#[arg]` with a value
    #[arg(inject, rename = "x", deflt)] ctx: Context,
    //~ `rename` an option of arguments on an injected value
    //~ `deflt`
) -> String {
    let _ = ctx;
    format!("{name}{age}{nick}")
}

fn main() {
    let _ = tools![t];
}
