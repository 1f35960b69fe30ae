//! Tests of your own tools: an in-process client of every kind, and a hand-made [`context`] for the function alone.
//!
//! In `Cargo.toml`, beside what the server itself needs:
//!
//! ```toml
//! [dev-dependencies]
//! mcp-tasks = { path = "../mcp-tasks/mcp-tasks", features = ["testing"] } # from wherever your server has it
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
//! that nobody gave it, two tools of one name, or a schema that no client would take. [`assert_schemas`] keeps the
//! tools' schemas in files and shows what has changed in them.
//!
//! # What the user answers
//!
//! A call says beforehand how its questions are answered: [`accept`](Call::accept) with the form's content,
//! [`decline`](Call::decline), [`dismiss`](Call::dismiss), [`never_answer`](Call::never_answer), or a [`Reply`] of
//! another kind. The [`Outcome`] has the questions and what came of them.
//!
//! ```
//! use mcp_tasks::prelude::*;
//! use mcp_tasks::testing::{Client, every_client};
//! use serde_json::json;
//!
//! #[derive(ElicitForm)]
//! struct Room {
//!     /// How many sleep there
//!     #[form(min = 1, max = 4)]
//!     beds: u8,
//! }
//!
//! /// Book a room.
//! #[mcp_tool(task)]
//! async fn book(city: String, ctx: Context) -> Result<String, ToolError> {
//!     let asked = ctx.elicit::<Room>("Which room?").timeout(Duration::from_secs(10));
//!     match asked.await {
//!         Ok(Answer::Accepted(room)) => Ok(format!("{} beds in {city}", room.beds)),
//!         Ok(_) => Ok("nothing booked".into()),
//!         Err(AskError::TimedOut) => Err("no room was chosen in time".into()),
//!         Err(error) => Err(error.into()),
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! let server = Server::new("hotel").tools(tools![book]);
//! let oslo = json!({ "city": "Oslo" });
//! for kind in every_client().filter(|kind| kind.asks()) {
//!     let mut client = Client::connect(&server, kind).await;
//!     let booked = client.call("book", oslo.clone()).accept(json!({ "beds": 2 })).await;
//!     assert_eq!(booked.text(), "2 beds in Oslo", "{kind}");
//!     assert_eq!(booked.questions[0].message(), "Which room?", "{kind}");
//!     let declined = client.call("book", oslo.clone()).decline().await;
//!     assert_eq!(declined.text(), "nothing booked", "{kind}");
//!     let dismissed = client.call("book", oslo.clone()).dismiss().await;
//!     assert_eq!(dismissed.text(), "nothing booked", "{kind}");
//! }
//! // Where the question comes with the result, a client that never answers never learns what became of it.
//! for kind in every_client().filter(|kind| kind.asks() && kind.revision() != "2026-07-28") {
//!     let mut client = Client::connect(&server, kind).await;
//!     let ignored = client.call("book", oslo.clone()).never_answer().await;
//!     assert!(ignored.is_error(), "{kind}");
//!     assert_eq!(ignored.text(), "no room was chosen in time", "{kind}");
//! }
//! # }
//! ```
//!
//! # What it reports, and where it is cancelled
//!
//! Status lines and progress take another way on each wire; [`Outcome::reported`] looks on all of them. A call is
//! cancelled at such a report ([`cancel_at`](Call::cancel_at)), after some time ([`cancel_after`](Call::cancel_after)),
//! or at a question ([`Reply::CancelCall`]).
//!
//! ```
//! use mcp_tasks::prelude::*;
//! use mcp_tasks::testing::{Client, ClientKind, every_client};
//! use serde_json::json;
//!
//! /// Import three files.
//! #[mcp_tool(task)]
//! async fn import(ctx: Context) -> Json<Vec<u32>> {
//!     for (done, file) in ["first", "second", "third"].iter().enumerate() {
//!         ctx.progress(done, 3, format!("{file} file"));
//!         tokio::time::sleep(Duration::from_secs(60)).await;
//!     }
//!     Json(vec![17, 4, 9])
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! let server = Server::new("files").tools(tools![import]);
//! for kind in every_client() {
//!     let patience = Duration::from_secs(120);
//!     let mut client = Client::builder(kind).patience(patience).connect(&server).await;
//!     let outcome = client.call("import", json!({})).await;
//!     assert_eq!(outcome.parsed::<Vec<u32>>(), [17, 4, 9], "{kind}");
//!     assert!(outcome.reported("second file"), "{kind}");
//!     assert!(!outcome.was_task() || outcome.statuses == ["working", "completed"], "{kind}");
//!     let cancelled = client.call("import", json!({})).cancel_at("second file").await;
//!     assert!(cancelled.was_cancelled() && !cancelled.reported("third file"), "{kind}");
//! }
//! let mut client = Client::connect(&server, ClientKind::CoreTasks).await;
//! let cancelled = client.call("import", json!({})).cancel_after(Duration::from_secs(90)).await;
//! assert_eq!(cancelled.statuses, ["working", "cancelled"]);
//! # }
//! ```
//!
//! # A store that fails
//!
//! A [`FaultyStore`] keeps tasks in memory until it is told to fail or to hang. It needs no feature beside `testing`
//! and no store of your own; to test one of those, there is `store::store_contract` (feature `unstable-store`).
//!
//! ```
//! use mcp_tasks::prelude::*;
//! use mcp_tasks::testing::{Client, ClientKind, FaultyStore, StoreCall};
//! use serde_json::json;
//!
//! /// Greet somebody.
//! #[mcp_tool(task)]
//! async fn greet(name: String) -> String {
//!     format!("Hello, {name}!")
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! let store = FaultyStore::default();
//! let server = store.attach(Server::new("greeter").tools(tools![greet]));
//! let mut client = Client::connect(&server, ClientKind::TasksExtension).await;
//!
//! store.fail(1, |call| call == StoreCall::Insert);
//! let refused = client.call("greet", json!({ "name": "Ada" })).await;
//! assert_eq!(refused.error().code, -32603);
//! assert_eq!(store.failed(), 1);
//!
//! let outcome = client.call("greet", json!({ "name": "Ada" })).await;
//! assert_eq!(outcome.text(), "Hello, Ada!");
//! # }
//! ```
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
//!
//! To let time pass between two calls, sleep in the test:
//!
//! ```
//! use mcp_tasks::prelude::*;
//! use mcp_tasks::testing::{Client, ClientKind};
//! use serde_json::json;
//!
//! /// Build the project.
//! #[mcp_tool(task(keep = "1h"))]
//! async fn build() -> &'static str {
//!     "built"
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! let server = Server::new("ci").tools(tools![build]);
//! let mut client = Client::connect(&server, ClientKind::TasksExtension).await;
//! let outcome = client.call("build", json!({})).await;
//! let task = json!({ "taskId": outcome.task_id() });
//! assert!(client.request("tasks/get", task.clone()).await.is_ok());
//! tokio::time::sleep(Duration::from_secs(3601)).await;
//! assert!(client.request("tasks/get", task).await.is_err(), "its hour is over");
//! # }
//! ```
//!
//! # The function alone
//!
//! [`context`] makes a [`Context`](crate::Context) by hand. What the function says through it is recorded, and its
//! questions are answered by the same script.
//!
//! ```
//! use mcp_tasks::prelude::*;
//! use mcp_tasks::testing;
//!
//! /// Remove a project, after asking.
//! #[mcp_tool]
//! async fn remove(project: String, ctx: Context) -> Result<bool, ToolError> {
//!     Ok(ctx.confirm(format!("Remove {project}?")).await?)
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let call = testing::context().decline();
//! assert!(!remove("whale".into(), call.context()).await.unwrap());
//! assert_eq!(call.questions()[0].message(), "Remove whale?");
//! # }
//! ```

mod call;
mod client;
mod connect;
mod context;
mod draft;
mod kind;
mod outcome;
mod recorder;
mod run;
mod schemas;
mod script;
mod store;
#[cfg(test)]
mod tests;

pub use self::call::Call;
pub use self::client::{Client, Direction};
pub use self::connect::ClientBuilder;
pub use self::context::{Progress, TestContext, context};
pub use self::kind::{ClientKind, every_client};
pub use self::outcome::{End, ErrorReply, Outcome};
pub use self::schemas::assert_schemas;
pub use self::script::{Question, Reply};

pub use crate::model::task::TaskStatus;
use crate::server::Server;
pub use crate::server::Tables;
pub use crate::task::faulty::{FaultyStore, StoreCall};

/// Waits until no call of a tool runs on `server`. A cancelled call is over for its client before its function has been
/// dropped, or has wound down: what that had to undo is undone after this.
///
/// ```
/// use mcp_tasks::prelude::*;
/// use mcp_tasks::testing::{self, Client, every_client};
/// use serde_json::json;
/// use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
///
/// type Reserved = Arc<AtomicUsize>;
///
/// /// Reserve a seat, and give it back when cancelled.
/// #[mcp_tool(task)]
/// async fn reserve(State(seats): State<Reserved>, token: CancellationToken, ctx: Context) {
///     seats.fetch_add(1, Ordering::SeqCst);
///     ctx.progress(1, 2, "reserved");
///     token.cancelled().await;
///     tokio::time::sleep(Duration::from_secs(1)).await;
///     seats.fetch_sub(1, Ordering::SeqCst);
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let seats = Reserved::default();
/// let server = Server::new("hall").tools(tools![reserve]).state(seats.clone());
/// for kind in every_client() {
///     let mut client = Client::connect(&server, kind).await;
///     client.call("reserve", json!({})).cancel_at("reserved").await;
///     testing::settled(&server).await;
///     assert_eq!(seats.load(Ordering::SeqCst), 0, "{kind}");
/// }
/// # }
/// ```
///
/// # Panics
/// If a call still runs after a minute of tokio's time, or the server fails its start-up checks.
pub async fn settled(server: &Server) {
    let core = server.core().expect("the server passes its checks");
    let mut runs = core.runs.subscribe();
    let over = runs.wait_for(|runs| *runs == 0);
    let waited = tokio::time::timeout(std::time::Duration::from_secs(60), over).await;
    assert!(waited.is_ok(), "{} calls still run", *core.runs.borrow());
}

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
