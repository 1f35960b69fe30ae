use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(blocking)]
const unsafe extern "C" fn t(name: String) -> String {
//~ `const` `const`
//~ `unsafe` `unsafe`
//~ `extern "C"` an ABI
    name
}

fn main() {
    let _ = tools![t];
}
