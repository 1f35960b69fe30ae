use mcp_tasks::prelude::*;

/// Counts.
#[mcp_tool]
async fn t(ctx: Context) {
    ctx.progress("half", 2, "counting");
    ctx.progress(1, "two", "counting");
}

fn main() {
    let _ = tools![t];
}
