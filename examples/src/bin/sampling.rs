//! Serves `examples::sampling` over stdio.

#[tokio::main]
async fn main() -> Result<(), mcp_tasks::Error> {
    examples::sampling::server().serve_stdio().await
}
