//! Serves `examples::ci_runner` over stdio, with the steps of a crate.

#[cfg(unix)]
#[tokio::main]
async fn main() -> Result<(), mcp_tasks::Error> {
    let steps = [
        ("format", "cargo fmt --check"),
        ("build", "cargo build"),
        ("test", "cargo test"),
    ];
    let pipeline = steps.into_iter().collect();
    examples::ci_runner::server(pipeline).serve_stdio().await
}

#[cfg(not(unix))]
fn main() {
    eprintln!("process groups are for Unix");
}
