use mcp_tasks::prelude::*;

struct Foo;

/// Greets.
#[mcp_tool]
async fn t() -> Result<Json<Foo>, ToolError> {
    Ok(Json(Foo))
}

fn main() {
    let _ = tools![t];
}
