//! A client in a process of its own, whose environment says which certificates it trusts: connects to the address that
//! it is given, calls `greet`, and writes the answer, or to standard error why there is none.

use std::process::ExitCode;

use mcp_tasks::client::{Client, ClientError};
use serde_json::json;

#[tokio::main]
async fn main() -> ExitCode {
    let url = std::env::args().next_back().unwrap_or_default();
    match greeted(&url).await {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn greeted(url: &str) -> Result<String, ClientError> {
    let client = Client::connect(url).await?;
    let result = client.call_tool("greet", json!({ "name": "Ada" })).await?;
    client.close().await;
    Ok(result.text())
}
