//! Bytes to meaning and back, one module per dialect. No I/O, no async, nothing running.
//!
//! `client` is the other direction, the rest is the server's.

#[cfg(feature = "client")]
pub(crate) mod client;
#[cfg(feature = "server")]
pub(crate) mod core_tasks;
#[cfg(feature = "server")]
pub(crate) mod draft;
#[cfg(feature = "server")]
pub(crate) mod envelope;
#[cfg(feature = "server")]
pub(crate) mod extension;
#[cfg(all(test, any(feature = "server", feature = "client")))]
pub(crate) mod golden;
#[cfg(feature = "server")]
pub(crate) mod input;
#[cfg(feature = "server")]
pub(crate) mod legacy;
#[cfg(feature = "server")]
mod message;
#[cfg(feature = "server")]
pub(crate) mod meta;
#[cfg(feature = "server")]
pub(crate) mod modern;
#[cfg(feature = "server")]
pub(crate) mod notify;
#[cfg(feature = "server")]
mod params;
#[cfg(feature = "server")]
pub(crate) mod related;
pub(crate) mod revision;
#[cfg(all(test, feature = "server"))]
mod samples;
#[cfg(feature = "server")]
mod task;
#[cfg(feature = "server")]
mod tool;
#[cfg(feature = "server")]
mod write;

#[cfg(feature = "server")]
use serde_json::{Map, Value};

#[cfg(feature = "server")]
pub(crate) use self::message::{Message, Piece};
pub(crate) use self::revision::Revision;

/// One JSON message, without the newline that frames it, in one piece.
pub(crate) type Frame = Vec<u8>;

/// Who the server says it is.
#[cfg(feature = "server")]
#[derive(Clone, Debug)]
pub(crate) struct ServerInfo {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) version: String,
}

/// What a server offers, as its handshake tells it.
#[cfg(feature = "server")]
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact by itself, and is told by itself"
)]
pub(crate) struct Offer {
    pub(crate) info: ServerInfo,
    pub(crate) instructions: Option<String>,
    /// What the application's own methods bring, beside what this crate serves itself.
    pub(crate) capabilities: Map<String, Value>,
    /// Tools come and go while the server runs.
    pub(crate) tools_change: bool,
    /// Who calls decides which tools there are.
    pub(crate) tools_vary: bool,
    /// At least one tool may run as a task.
    pub(crate) tasks: bool,
    /// 2025-11-25 `tasks/list` is offered.
    pub(crate) task_list: bool,
}
