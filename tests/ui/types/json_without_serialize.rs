use mcp_tasks::prelude::*;

struct Foo;

/// Greets.
#[mcp_tool]
async fn t() -> Result<Json<Foo>, ToolError> {
//~ `Result<Json<Foo>, ToolError>` `Json` of a type without `Serialize`
    Ok(Json(Foo))
}

fn main() {
    let _ = tools![t];
}
