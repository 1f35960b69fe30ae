use std::pin::Pin;

use mcp_tasks::prelude::*;

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Greets.
#[mcp_tool]
fn t1(name: String) -> Pin<Box<dyn Future<Output = String> + Send>> {
//~ `Pin<Box<dyn Future<Output = String> + Send>>` an `async fn` spelt out, in a box
    Box::pin(async { name })
}

/// Greets.
#[mcp_tool]
fn t2(name: String) -> BoxFuture<String> {
//~ `BoxFuture<String>`
    Box::pin(async { name })
}

fn main() {
    let _ = tools![t1, t2];
}
