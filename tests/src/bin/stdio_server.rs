//! The tools of the end-to-end tests as a process of its own.

use mcp_tasks::FromContext;
use mcp_tasks::prelude::*;
use tests::pages::with_pages;
use tests::tools::server;

/// Made with the help of the runtime, as a handle to a connection pool is.
struct Pool;

impl FromContext for Pool {
    fn from_context(_: &Context) -> Result<Self, ToolError> {
        tokio::spawn(async {});
        Ok(Self)
    }
}

/// Takes what needs a runtime.
#[mcp_tool]
async fn pooled(#[arg(inject)] _pool: Pool) -> String {
    "pooled".into()
}

#[tokio::main]
async fn main() -> Result<(), mcp_tasks::Error> {
    let mut limits = Limits::default();
    limits.drain = Duration::from_millis(500);
    limits.cancel_grace = Duration::from_millis(100);
    let (server, _) = server();
    with_pages(server)
        .tools(tools![pooled])
        .limits(limits)
        .serve_stdio()
        .await
}
