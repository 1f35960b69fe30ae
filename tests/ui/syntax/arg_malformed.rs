use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(inject = true)] ctx: Context,
    #[arg(default(5))] age: u8,
    #[arg(example("Ada"))] name: String,
    #[arg(rename = "")] nick: String,
    #[arg(rename = NAME)] street: String,
    #[arg(min)] size: u8,
    #[arg(default = 1, default = 2)] count: u8,
) -> String {
    let _ = ctx;
    format!("{name}{age}{nick}{street}{size}{count}")
}

fn main() {
    let _ = tools![t];
}
