//! How the program ends.

use std::fmt;

use mcp_tasks::client::ClientError;
use serde_json::{Value, json};

use crate::clean;

/// The exit codes, as `--help` and the README list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Code {
    Result = 0,
    ErrorResult = 1,
    Usage = 2,
    Server = 3,
    Connection = 4,
    TimedOut = 5,
    Cancelled = 130,
}

/// Why there is no result.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    text: String,
    rpc: Option<Value>,
}

impl Failure {
    fn new(code: Code, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
            rpc: None,
        }
    }

    /// The command line asks for something that cannot be.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::new(Code::Usage, text)
    }

    /// The server's answer is none that helps.
    pub(crate) fn server(text: impl Into<String>) -> Self {
        Self::new(Code::Server, text)
    }

    pub(crate) fn timed_out(text: impl Into<String>) -> Self {
        Self::new(Code::TimedOut, text)
    }

    /// The user had enough.
    pub(crate) fn cancelled(text: impl Into<String>) -> Self {
        Self::new(Code::Cancelled, text)
    }

    /// The failure as a line of `--status json`.
    pub(crate) fn event(&self) -> Value {
        let mut event = json!({ "event": "error", "text": self.text, "exit": self.code as u8 });
        if let Some(rpc) = &self.rpc {
            event["error"] = rpc.clone();
        }
        event
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        let code = match &error {
            ClientError::Connect { .. }
            | ClientError::Unanswered { .. }
            | ClientError::Closed { .. }
            | ClientError::Lost { .. }
            | ClientError::Http { .. } => Code::Connection,
            ClientError::Cancelled { .. } => Code::Cancelled,
            ClientError::Invalid(_) => Code::Usage,
            _ => Code::Server,
        };
        let rpc = error.rpc().map(|rpc| {
            let mut object = json!({ "code": rpc.code, "message": rpc.message });
            if let Some(data) = &rpc.data {
                object["data"] = serde_json::from_str(data.get()).unwrap_or(Value::Null);
            }
            object
        });
        Self {
            code,
            text: error.to_string(),
            rpc,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&clean::hanging(&self.text))
    }
}
