use std::rc::Rc;

use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: Rc<String>) -> String {
    //~ `Rc<String>` a parameter that is not `Send`; use a `String`, or an `Arc` in a `State`
    name.to_string()
}

fn main() {
    let _ = tools![t];
}
