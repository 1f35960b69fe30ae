use mcp_tasks::prelude::*;

/// Counts.
#[mcp_tool]
async fn t(ctx: Context) {
    ctx.progress("half", 2, "counting");
    //~ `"half"` progress that is no number
    ctx.progress(1, "two", "counting");
    //~ `"two"` a total that is no number
}

fn main() {
    let _ = tools![t];
}
