//! Serves `examples::blocking` over stdio.

#[tokio::main]
async fn main() -> Result<(), mcp_tasks::Error> {
    examples::blocking::server().serve_stdio().await
}
