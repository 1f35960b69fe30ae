use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(name = "say hello")]
async fn t1(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(name = NAME)]
async fn t2(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(name = "")]
async fn t3(name: String) -> String {
    name
}

/// Greets.
#[mcp_tool(name = "longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong")]
async fn t4(name: String) -> String {
    name
}

fn main() {
    let _ = tools![t1, t2, t3, t4];
}
