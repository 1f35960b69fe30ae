//! Tests of your own tools: an in-process client of every kind, and a hand-made [`context`] for the function alone.
//!
//! In `Cargo.toml`, beside what the server itself needs:
//!
//! ```toml
//! [dev-dependencies]
//! mcp-tasks = { version = "0.1", features = ["testing"] }
//! serde_json = "1"
//! tokio = { version = "1", features = ["macros", "rt", "test-util"] } # `test-util` for `start_paused`
//! ```
//!
//! A [`Client`] plays a client of one revision, a [`ClientKind`], over the same JSON lines as stdio: it makes the
//! handshake that revision has, follows a task where a call becomes one, and answers the tool's questions from a
//! script. The test says what the user does and what should come of it; how it travels is the client's affair.
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
//! [`Server::check`] belongs into a test too: it finds what would keep the server from starting, such as a state
//! that nobody gave it, two tools of one name, or a schema that no client would take.
//!
//! # What fails a test
//!
//! Everything panics where a test should fail, and the message begins with the place of the
//! [`call`](Client::call): a line that is no JSON message, a question without an answer in the script, a reply that
//! was left over, a server that stays silent longer than the client's
//! [patience](ClientBuilder::patience).
//!
//! # Time
//!
//! All waiting is tokio's, so a test under `start_paused` takes no time however long the tool sleeps. While the
//! thread of a `blocking` tool works, paused time stands still, as it does for `tokio::task::spawn_blocking`; it goes
//! on while the tool waits for an answer, and after five real seconds in any case, so that a tool which itself waits
//! for time to pass is not waited for in vain. Of other threads that a tool starts, tokio knows nothing: have them
//! started by `spawn_blocking`, or leave time unpaused.

mod call;
mod client;
mod connect;
mod context;
mod kind;
mod outcome;
mod recorder;
mod run;
mod script;
#[cfg(test)]
mod tests;

pub use self::call::Call;
pub use self::client::{Client, Direction};
pub use self::connect::ClientBuilder;
pub use self::context::{Progress, TestContext, context};
pub use self::kind::{ClientKind, every_client};
pub use self::outcome::{End, ErrorReply, Outcome};
pub use self::script::{Question, Reply};

use crate::server::Server;
pub use crate::server::Tables;

/// What `server` holds at this moment: a test that ends with all of it at zero has leaked nothing.
///
/// # Panics
/// If the server fails its start-up checks.
///
/// [The guide](crate::guide::testing#what-else-to-test) says what else a test may hold.
pub fn tables(server: &Server) -> Tables {
    server
        .core()
        .expect("the server passes its checks")
        .tables()
}
