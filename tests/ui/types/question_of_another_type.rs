use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(ctx: Context) -> Result<String, ToolError> {
    let name = ctx.elicit::<String>("Your name?").await?;
    //~ `String` a question for what is no form
    Ok(format!("{name:?}"))
}

fn main() {
    let _ = tools![t];
}
