use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t(String::new()), t];
    //~ `(` a call in the list
    let _ = tools!["t", t];
    //~ `"t"` a name in quotes in the list
    let _ = tools![t t];
    //~ `t` no comma in the list
    let _ = tools![#[inline] t];
    //~ `#[inline]` another attribute than `#[cfg]` in the list
    let _ = tools![crate = mcp_tasks; t];
    //~ `mcp_tasks` a path of the crate that depends on where it stands
    let _ = tools![crate = ::mcp_tasks, t];
    //~ `,` no `;` after the path of the crate
}
