use mcp_tasks::prelude::*;

use std::rc::Rc;

/// Greets.
#[mcp_tool]
async fn t(name: String) -> String {
//~ `t` a body that is not `Send`
    let name = Rc::new(name);
    std::future::ready(()).await;
    name.to_string()
}

fn main() {
    let _ = tools![t];
}
