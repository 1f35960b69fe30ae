//! Serves `examples::forms` over stdio.

#[tokio::main]
async fn main() -> Result<(), mcp_tasks::Error> {
    examples::forms::server().serve_stdio().await
}
