//! A server that wants pages to be visited.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mcp_tasks::prelude::*;
use mcp_tasks::{Answer, MethodCall, RpcError};
use serde_json::json;

/// Signs the user in on a page, which takes no time worth mentioning.
#[mcp_tool(task)]
pub async fn sign_in(ctx: Context) -> Result<String, ToolError> {
    let page = ctx.elicit_url("Please sign in", |id| format!("https://example.com/{id}"));
    let done = tokio::time::sleep(Duration::from_millis(20));
    Ok(match page.until(done).await? {
        Answer::Accepted(()) => "signed in",
        Answer::Declined => "declined",
        Answer::Dismissed => "dismissed",
    }
    .into())
}

/// Adds [`sign_in`], and a method `acme/deploy` that requires a page to be visited the first time it is called
/// (2025-11-25, error -32042).
pub fn with_pages(server: Server) -> Server {
    let visited = Arc::new(AtomicBool::new(false));
    server
        .tools(tools![sign_in])
        .on_method("acme/deploy", move |_: MethodCall| {
            let visited = visited.swap(true, Ordering::SeqCst);
            async move {
                if visited {
                    return Ok(json!({ "deployed": true }));
                }
                let page = json!({
                    "mode": "url",
                    "elicitationId": "e-1",
                    "url": "https://example.com/e-1",
                    "message": "Please sign in",
                });
                Err(RpcError::new(-32042, "sign in first")
                    .with_data(&json!({ "elicitations": [page] })))
            }
        })
}
