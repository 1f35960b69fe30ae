//! A server's introduction of itself, and what it says beside its responses.

use serde_json::{Map, Value};

/// Who a server says it is, and what it offers. [`Client`](crate::client::Client) has an example.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RemoteServer {
    /// Its name; empty where it gave none.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// Its version; empty where it gave none.
    pub version: String,
    /// How to use it, in words for a model.
    pub instructions: Option<String>,
    /// The `capabilities` object, as it came.
    pub capabilities: Map<String, Value>,
}

impl RemoteServer {
    /// What to call it before people: the title, the name, or "the server".
    pub fn label(&self) -> &str {
        match &self.title {
            Some(title) if !title.is_empty() => title,
            _ if self.name.is_empty() => "the server",
            _ => &self.name,
        }
    }

    /// Whether `capabilities` has an object at the end of these members.
    ///
    /// ```
    /// use mcp_tasks::client::RemoteServer;
    ///
    /// fn lists_tasks(server: &RemoteServer) -> bool {
    ///     server.offers(&["tasks", "list"])
    /// }
    /// assert!(!lists_tasks(&RemoteServer::default()));
    /// ```
    pub fn offers(&self, path: &[&str]) -> bool {
        let mut at = &self.capabilities;
        for key in path {
            match at.get(*key).and_then(Value::as_object) {
                Some(below) => at = below,
                None => return false,
            }
        }
        true
    }
}

/// How far a call is. [`Client::begin_call_tool`](crate::client::Client::begin_call_tool) has an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// What is done, in the tool's own unit. It rises.
    pub done: f64,
    /// What there is to do, where it is known.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<String>,
}

/// A log message of the server's. [`ClientBuilder`](crate::client::ClientBuilder) has an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LogMessage {
    /// Its severity, by the name it has on the wire, such as `warning`.
    pub level: String,
    /// Which part of the server speaks.
    pub logger: Option<String>,
    /// What it says: often a string, but any JSON may come.
    pub data: Value,
}
