use std::sync::Mutex;

use mcp_tasks::prelude::*;

/// Counts.
#[mcp_tool]
async fn by_name(count: State<Mutex<u32>>) -> String {
//~ `State<Mutex<u32>>` state that cannot be cloned
    format!("{count:?}")
}

/// Counts.
#[mcp_tool]
async fn by_pattern(State(count): State<Mutex<u32>>) -> String {
//~ `State<Mutex<u32>>`
    format!("{count:?}")
}

fn main() {
    let _ = tools![by_name, by_pattern];
}
