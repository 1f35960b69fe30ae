use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(inject = true)] ctx: Context,
    //~ `inject` a value where none goes
    #[arg(default(5))] age: u8,
    //~ `default` a value in parentheses
    #[arg(example("Ada"))] name: String,
    //~ `example`
    #[arg(rename = "")] nick: String,
    //~ `""` an empty name
    #[arg(rename = NAME)] street: String,
    //~ `NAME` a name that is no string
    #[arg(min)] size: u8,
    //~ `min` a bound without its value
    #[arg(default = 1, default = 2)] count: u8,
    //~ `default` an option of `#[arg]` given twice
) -> String {
    let _ = ctx;
    format!("{name}{age}{nick}{street}{size}{count}")
}

fn main() {
    let _ = tools![t];
}
