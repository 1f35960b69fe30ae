//! What can go wrong for a client.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::model::error::RpcError;

/// Why a client did not get what it asked for.
///
/// A tool that reports an error to the model is none: that is a result with [`is_error`](super::CallResult::is_error).
///
/// ```
/// use mcp_tasks::client::{Client, ClientError};
/// use serde_json::json;
///
/// async fn forecast(client: &Client) -> String {
///     match client.call_tool("forecast", json!({ "city": "Oslo" })).await {
///         Ok(result) if result.is_error() => format!("the tool says: {}", result.text()),
///         Ok(result) => result.text(),
///         Err(ClientError::Closed { .. } | ClientError::Lost { .. }) => "try again later".to_owned(),
///         Err(error) => match error.rpc() {
///             Some(rpc) => format!("the server refuses, with code {}", rpc.code),
///             None => error.to_string(),
///         },
///     }
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The server could not be reached, or its program not started.
    Connect {
        /// The address or the program.
        to: String,
        /// Why.
        source: Arc<io::Error>,
    },
    /// The server ended, or said nothing for too long, before it had answered the client's greeting: perhaps it is no
    /// server, or could not start.
    Unanswered {
        /// The server.
        server: String,
        /// How it ended, or how long it was waited for.
        why: String,
    },
    /// The server ended the connection, or this client has been closed.
    Closed {
        /// The server.
        server: String,
        /// How it ended, as far as that is known.
        why: String,
    },
    /// The connection broke before the answer came, and asking again could do harm or did not help.
    Lost {
        /// What was asked.
        what: String,
    },
    /// The address answered, but not as an MCP server does.
    Http {
        /// The address.
        url: String,
        /// The status it answered with.
        status: u16,
        /// The beginning of what it said, or where it leads.
        text: String,
        /// When to come back, where it said that too.
        retry_after: Option<Duration>,
    },
    /// The server answered with a JSON-RPC error. So does a call whose task failed.
    Refused {
        /// What was asked.
        what: String,
        /// The server's error.
        error: RpcError,
    },
    /// The call was cancelled, by this client or by somebody else.
    Cancelled {
        /// What was cancelled.
        what: String,
    },
    /// The server no longer has the task, or did not end it before the time for which it is kept was over.
    Expired {
        /// The task.
        what: String,
    },
    /// Neither side did anything wrong, but this server or this client cannot do it. The text says what helps.
    Unsupported(String),
    /// The server broke the protocol.
    Protocol {
        /// The server.
        server: String,
        /// What it did.
        why: String,
    },
    /// A question of the server's could not be answered.
    Question {
        /// The call that asked.
        what: String,
        /// Why.
        why: String,
    },
    /// The server does nothing before the user has visited a page, and the user did not agree to.
    Declined {
        /// What was asked of the server.
        what: String,
        /// What the page is for, in the server's words.
        message: String,
        /// The user closed the question without a yes or a no.
        dismissed: bool,
    },
    /// What was to be sent is no such thing.
    Invalid(String),
}

impl ClientError {
    /// The JSON-RPC error behind it, where the server sent one.
    pub fn rpc(&self) -> Option<&RpcError> {
        match self {
            Self::Refused { error, .. } => Some(error),
            _ => None,
        }
    }

    /// How long the server wants to be left alone, where it said so.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Http { retry_after, .. } => *retry_after,
            Self::Refused { error, .. } => {
                let data: Value = serde_json::from_str(error.data.as_ref()?.get()).ok()?;
                data["retryAfterMs"].as_u64().map(Duration::from_millis)
            }
            _ => None,
        }
    }

    /// Whether the same may work a little later: the connection failed, not the request.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            Self::Lost { .. } | Self::Connect { .. } => true,
            Self::Http { status, .. } => matches!(status, 429 | 500..),
            _ => false,
        }
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connect { to, source } => write!(f, "cannot reach {to}: {source}"),
            Self::Unanswered { server, why } => {
                write!(f, "{server} did not answer the client's greeting: {why}")
            }
            Self::Closed { server, why } => write!(f, "{server} is gone: {why}"),
            Self::Lost { what } => write!(f, "{what}: the connection broke before the answer came"),
            Self::Http {
                url, status, text, ..
            } => {
                write!(f, "{url} answered with HTTP status {status}")?;
                match status {
                    300..=399 => f.write_str(", which leads elsewhere and is not followed")?,
                    401 => f.write_str("; give a token of it with `bearer`")?,
                    403 => f.write_str("; the token or the caller is not allowed there")?,
                    200..=299 | 404 | 405 => {
                        f.write_str("; is this the path of the MCP endpoint?")?;
                    }
                    _ => {}
                }
                if text.is_empty() {
                    return Ok(());
                }
                write!(f, ": {text}")
            }
            Self::Refused { what, error } => write!(f, "{what}: {error}"),
            Self::Cancelled { what } => write!(f, "{what} was cancelled"),
            Self::Expired { what } => write!(
                f,
                "{what}: the server does not have it, or has it no longer"
            ),
            Self::Unsupported(text) | Self::Invalid(text) => f.write_str(text),
            Self::Protocol { server, why } => write!(f, "{server} broke the protocol: {why}"),
            Self::Declined {
                what,
                message,
                dismissed,
            } => {
                let verb = if *dismissed { "dismissed" } else { "declined" };
                write!(
                    f,
                    "{what} needs a page to be visited first, which the user {verb}: {message}"
                )
            }
            Self::Question { what, why } => {
                write!(
                    f,
                    "{what} asked something that could not be answered: {why}"
                )
            }
        }
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Connect { source, .. } => Some(&**source),
            _ => None,
        }
    }
}
