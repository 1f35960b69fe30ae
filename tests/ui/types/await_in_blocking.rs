use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(blocking)]
fn t(name: String) -> String {
    std::future::ready(()).await;
    //~ `await` `.await` in a blocking body
    name
}

fn main() {
    let _ = tools![t];
}
