use mcp_tasks::prelude::*;

/// Measures.
#[mcp_tool]
async fn größe(von: String) -> String {
//~ `größe` a function whose name clients refuse
    von
}

/// Measures under a name that every client takes.
#[mcp_tool(name = "size")]
async fn ausmaß(von: String) -> String {
    von
}

/// Has one fault, not two.
#[mcp_tool(name = "")]
//~ `""`
async fn weiß() {}

fn main() {
    let _ = tools![größe, ausmaß, weiß];
}
