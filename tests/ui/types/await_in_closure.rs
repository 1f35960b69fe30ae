use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(names: Vec<String>) -> String {
    let waited: Vec<()> = names.iter().map(|_| std::future::ready(()).await).collect();
    //~ `await` `.await` in a closure
    format!("{waited:?}")
}

fn main() {
    let _ = tools![t];
}
