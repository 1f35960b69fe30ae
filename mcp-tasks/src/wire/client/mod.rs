//! The client's direction: requests out and responses in, questions in and answers out.

mod form;
pub(crate) mod header;
pub(crate) mod hello;
pub(crate) mod message;
mod question;
pub(crate) mod reply;
pub(crate) mod task;
pub(crate) mod tool;

pub(crate) use self::question::{Page, answer, read as question, required_pages};

use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// A revision's or extension's words in `_meta` and elsewhere.
pub(crate) mod key {
    pub(crate) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    pub(crate) const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
    pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
    pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
    pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
    pub(crate) const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
    /// The tasks extension of 2026-07-28.
    pub(crate) const TASKS: &str = "io.modelcontextprotocol/tasks";
    /// What makes a request a task in the SEP-1686 draft.
    pub(crate) const DRAFT_TASK: &str = "modelcontextprotocol.io/task";
    /// The draft's own spelling of the relation to a task.
    pub(crate) const DRAFT_RELATED_TASK: &str = "modelcontextprotocol.io/related-task";
}

fn object(value: Value, what: &str) -> Result<Object, String> {
    match value {
        Value::Object(object) => Ok(object),
        other => Err(format!("{what} is {}, not an object", kind(&other))),
    }
}

/// What a value is, in words.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Text of the server's that goes into a message of ours, capped.
pub(crate) fn excerpt(text: &str) -> String {
    const CHARS: usize = 200;
    match text.char_indices().nth(CHARS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
