use mcp_tasks::prelude::*;

use std::borrow::Cow;

/// Greets.
#[mcp_tool]
async fn t<'a>(name: Cow<'a, str>, nick: Cow<'_, str>) -> String {
//~ `'a` a parameter with a lifetime
//~ `'_`
    format!("{name}{nick}")
}

fn main() {
    let _ = tools![t];
}
