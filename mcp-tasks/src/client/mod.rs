#![doc = include_str!("../../docs/client.md")]

mod asked;
mod builder;
mod call;
mod completions;
mod connect;
mod core;
mod dialect;
mod drive;
mod endpoint;
mod error;
mod handlers;
mod methods;
mod news;
mod router;
mod running;
#[cfg(test)]
mod tests;
mod tools;
mod transport;

use std::sync::Arc;

pub use self::builder::ClientBuilder;
pub use self::call::{BeginCall, PendingCall, Reference, StatusChanges};
pub use self::dialect::Wire;
pub use self::endpoint::Endpoint;
pub use self::error::ClientError;
pub use self::handlers::{Asker, FormQuestion, Root, SampleQuestion, UrlQuestion};
pub use self::methods::TaskPage;
#[cfg(feature = "client-http")]
pub use self::transport::http::HttpEndpoint;
pub use crate::model::answer::Answer;
pub use crate::model::remote::{
    CallResult, LogMessage, Progress, RemoteServer, RemoteTool, Status, Task,
};
pub use crate::model::tool::TaskSupport;

/// A connection to a server. Clones share it.
///
/// ```no_run
/// use mcp_tasks::client::{Client, ClientError};
/// use serde_json::json;
/// use tokio::process::Command;
///
/// # async fn shown() -> Result<(), ClientError> {
/// let client = Client::connect(Command::new("weather-server")).await?;
/// println!("{} speaks {}", client.server().label(), client.wire().as_str());
/// for tool in client.list_tools().await? {
///     println!("{}: {}", tool.name(), tool.description().unwrap_or_default());
/// }
/// let result = client.call_tool("forecast", json!({ "city": "Oslo" })).await?;
/// println!("{}", result.text());
/// // Methods that this client has no function for are requests like any other.
/// let prompts = client.request("prompts/list", json!({})).await?;
/// println!("{}", prompts["prompts"]);
/// client.close().await;
/// # Ok(())
/// # }
/// ```
///
/// Any number of calls may be under way at once. A future that is dropped loses no message of another's, and tells the
/// server that nobody waits for its answer any more.
#[derive(Clone, Debug)]
pub struct Client {
    core: Arc<core::Core>,
}
