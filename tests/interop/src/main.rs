//! One tool for each thing that a client does with a server: over HTTP on the port that `PORT` names, else over stdio.
//!
//! The clients in this directory's `clients` are other projects' own; they find the tools by name.

mod asking;
mod lasting;
mod plain;

use mcp_tasks::prelude::*;

use lasting::Board;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Ok(port) = std::env::var("PORT") {
        let port = port.parse::<u16>()?;
        server().serve_http(("127.0.0.1", port)).await?;
    } else {
        server().serve_stdio().await?;
    }
    Ok(())
}

fn server() -> Server {
    Server::new("interop-server")
        .tools(plain::tools())
        .tools(asking::tools())
        .tools(lasting::tools())
        .state(Board::default())
        .limits(limits())
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    // The clients that poll are tests.
    limits.poll_interval = Duration::from_millis(50);
    limits
}
