//! Bytes to meaning and back, one module per dialect. No I/O, no async, nothing running.

pub(crate) mod core_tasks;
pub(crate) mod draft;
pub(crate) mod envelope;
pub(crate) mod extension;
#[cfg(test)]
mod golden;
pub(crate) mod input;
pub(crate) mod legacy;
pub(crate) mod meta;
pub(crate) mod modern;
pub(crate) mod notify;
mod params;
pub(crate) mod related;
pub(crate) mod revision;
#[cfg(test)]
mod samples;
mod task;
mod tool;
mod write;

use serde_json::{Map, Value};

pub(crate) use self::revision::Revision;

/// One JSON message, without the newline that frames it.
pub(crate) type Frame = Vec<u8>;

/// Who the server says it is.
#[derive(Clone, Debug)]
pub(crate) struct ServerInfo {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) version: String,
}

/// What a server offers, as its handshake tells it.
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
