//! Serves `examples::plot` over stdio.

#[tokio::main]
async fn main() -> Result<(), mcp_tasks::Error> {
    examples::plot::server().serve_stdio().await
}
