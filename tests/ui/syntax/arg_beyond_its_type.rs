use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(min = 256)] age: u8,
    //~ `256` a lower bound that no value of the type reaches
    #[arg(max = -1)] count: u32,
    //~ `-1` an upper bound below all values of the type
    #[arg(default = 300)] size: u8,
    //~ `300` a default that is none of the type
    #[arg(example = -129)] degrees: Option<i8>,
    //~ `-129`
    #[arg(min = -1, max = 300, default = 255)] fine: u8,
) -> String {
    format!("{age}{count}{size}{degrees:?}{fine}")
}

fn main() {
    let _ = tools![t];
}
