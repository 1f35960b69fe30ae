use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(descripton = "Says hello.")]
//~ `descripton` a misspelt option
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(read_only_hint = true, glyph = "icon.png")]
//~ `read_only_hint` an option under its name on the wire
//~ `glyph` an option that there is not
async fn t2(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2];
}
