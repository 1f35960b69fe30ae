use std::sync::{Arc, Mutex};

use mcp_tasks::prelude::*;

/// Counts.
#[mcp_tool]
async fn t(State(count): State<Arc<Mutex<u32>>>) -> u32 {
//~ `t` a lock held across an await
    let mut count = count.lock().unwrap();
    *count += 1;
    std::future::ready(()).await;
    *count
}

fn main() {
    let _ = tools![t];
}
