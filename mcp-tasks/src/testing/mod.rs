//! An in-process client for tests of your own tools, over the same JSON lines as stdio.
//!
//! A [`Client`] plays a client of one revision, a [`ClientKind`]: it makes the handshake that revision has,
//! follows a task where a call becomes one, and answers the tool's questions from a script. The test says what
//! the user does and what should come of it; how it travels is the client's affair.
//!
//! ```
//! use mcp_tasks::prelude::*;
//! use mcp_tasks::testing::{Client, every_client};
//! use serde_json::json;
//!
//! /// Greet somebody.
//! #[mcp_tool(task)]
//! async fn greet(name: String) -> String {
//!     format!("Hello, {name}!")
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let server = Server::new("greeter").tools(tools![greet]);
//! for kind in every_client() {
//!     let mut client = Client::connect(&server, kind).await;
//!     let outcome = client.call("greet", json!({ "name": "Ada" })).await;
//!     assert_eq!(outcome.text(), "Hello, Ada!", "{kind}");
//! }
//! # }
//! ```
//!
//! Everything panics where a test should fail: a line that is no JSON message, a question without an answer in
//! the script, a server that stays silent longer than the client's patience. All waiting is tokio's, so a test
//! under `start_paused` takes no time however long the tool sleeps.

mod call;
mod client;
mod connect;
mod kind;
mod outcome;
mod run;
mod script;
#[cfg(test)]
mod tests;

pub use self::call::Call;
pub use self::client::{Client, Direction};
pub use self::connect::ClientBuilder;
pub use self::kind::{ClientKind, every_client};
pub use self::outcome::{End, ErrorReply, Outcome};
pub use self::script::{Question, Reply};

use crate::server::Server;
pub use crate::server::Tables;

/// What `server` holds at this moment: a test that ends with all of it at zero has leaked nothing.
///
/// # Panics
/// If the server fails its start-up checks.
pub fn tables(server: &Server) -> Tables {
    server
        .core()
        .expect("the server passes its checks")
        .tables()
}
