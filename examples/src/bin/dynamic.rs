//! Serves `examples::dynamic` over stdio.

#[tokio::main]
async fn main() -> Result<(), mcp_tasks::Error> {
    examples::dynamic::server().serve_stdio().await
}
