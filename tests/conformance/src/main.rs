//! Every fixture of the official conformance suite, written as a user of the framework would write it.
//!
//! The suite finds tools by name and asks each to behave in one particular way; the modules below are its chapters.

mod asking;
mod diagnostics;
mod plain;
mod prompts;
mod resources;
mod rounds;
mod tasks;

use mcp_tasks::LiveTools;
use mcp_tasks::prelude::*;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::var("PORT")?.parse::<u16>()?;
    server().serve_http(("127.0.0.1", port)).await?;
    Ok(())
}

fn server() -> Server {
    let live = LiveTools::new();
    // The suite calls the first tool of the list without arguments.
    let server = Server::new("conformance-server")
        .tools(plain::tools())
        .tools(asking::tools())
        .tools(rounds::tools())
        .tools(diagnostics::tools())
        .tools(tasks::tools())
        .live_tools(&live)
        .state(live);
    resources::resources(prompts::prompts(server))
}
