use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(name = "say hello")]
//~ `"say hello"` a character that no name has
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(name = NAME)]
//~ `NAME` a name that is no string literal
async fn t2(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(name = "")]
//~ `""` an empty name
async fn t3(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(name = "longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong")]
//~ `"longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong"` a name that is too long
async fn t4(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2, t3, t4];
}
