#![deny(dead_code)]

use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(name: String) -> String {
    name
}

/// Says goodbye.
#[mcp_tool]
async fn forgotten(name: String) -> String {
//~ `forgotten` a tool that no list names
    name
}

fn main() {
    let _ = tools![t];
}
