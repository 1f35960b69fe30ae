use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t<const N: usize>(names: [u8; N]) -> String {
    //~ `<const N: usize>` a constant parameter
    format!("{names:?}")
}

fn main() {
    let _ = tools![t];
}
