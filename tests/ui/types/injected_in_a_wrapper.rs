use std::sync::Arc;

use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(ctx: Option<Context>, shared: Arc<Context>) -> String {
    //~ `Option<Context>` an `Option` of what is always there
    //~ `Arc<Context>` an `Arc` of what is cheap to clone
    format!("{ctx:?}{shared:?}")
}

fn main() {
    let _ = tools![t];
}
