//! Bytes to meaning and back, one module per dialect. No I/O, no async, nothing running.

pub(crate) mod core_tasks;
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
pub(crate) mod revision;
#[cfg(test)]
mod samples;
mod task;
mod tool;
mod write;

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
pub(crate) struct Offer {
    pub(crate) info: ServerInfo,
    pub(crate) instructions: Option<String>,
    /// At least one tool may run as a task.
    pub(crate) tasks: bool,
    /// 2025-11-25 `tasks/list` is offered.
    pub(crate) task_list: bool,
}
