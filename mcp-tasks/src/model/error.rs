//! Errors: JSON-RPC's, a tool's own, and those of a question.

use std::borrow::Cow;
use std::fmt;

use serde_json::value::RawValue;

use super::capability::Capability;

/// A JSON-RPC error object.
///
/// ```
/// use mcp_tasks::RpcError;
///
/// let unknown = RpcError::invalid_params("Resource not found")
///     .with_data(&serde_json::json!({ "uri": "file:///nowhere" }));
/// assert_eq!(unknown.code, -32602);
/// ```
#[derive(Clone, Debug)]
pub struct RpcError {
    /// The error's number.
    pub code: i64,
    /// One sentence for people.
    pub message: Cow<'static, str>,
    /// Anything more, as JSON.
    pub data: Option<Box<RawValue>>,
    /// What a transport has a way of its own to say, beside `data`.
    pub(crate) busy: Option<Busy>,
}

/// Over a limit: when there may be room again, and whose limit it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy {
    /// Milliseconds.
    pub(crate) retry_after: u64,
    /// The limit is this caller's own; others are served.
    pub(crate) of_caller: bool,
}

impl RpcError {
    pub(crate) const PARSE: i64 = -32700;
    pub(crate) const INVALID_REQUEST: i64 = -32600;
    pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
    pub(crate) const INVALID_PARAMS: i64 = -32602;
    pub(crate) const INTERNAL: i64 = -32603;
    #[cfg(any(feature = "http", feature = "client"))]
    pub(crate) const HEADER_MISMATCH: i64 = -32020;
    pub(crate) const MISSING_CAPABILITY: i64 = -32021;
    pub(crate) const UNSUPPORTED_VERSION: i64 = -32022;
    /// 2025-11-25 alone has it.
    #[cfg(feature = "client")]
    pub(crate) const URL_ELICITATION_REQUIRED: i64 = -32042;

    /// An error of any code. Codes of an application lie outside -32768..-32000, which JSON-RPC keeps to itself.
    pub fn new(code: i64, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
            busy: None,
        }
    }

    /// The same error with `data`.
    pub fn with_data(mut self, data: &serde_json::Value) -> Self {
        self.data = serde_json::value::to_raw_value(data).ok();
        self
    }

    /// -32602: the parameters are not what the method takes.
    pub fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Self::INVALID_PARAMS, message)
    }

    /// -32603: nothing that the client could mend.
    pub fn internal(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Self::INTERNAL, message)
    }

    /// -32603 for now: the client may come back later.
    pub(crate) fn busy(message: impl Into<Cow<'static, str>>, busy: Busy) -> Self {
        let data = serde_json::json!({ "retryAfterMs": busy.retry_after });
        Self {
            busy: Some(busy),
            ..Self::internal(message).with_data(&data)
        }
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

/// Why a question got no answer.
///
/// The function may decide what then; let out by `?`, it becomes a [`ToolError`](crate::ToolError) and ends the call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AskError {
    /// The run was cancelled while it waited.
    Cancelled,
    /// The client cannot answer such a question; nothing was sent. Let out of the tool, this is the JSON-RPC error
    /// -32021 for a 2026-07-28 client, with the capability it would have to declare, and a result with `isError` for
    /// others.
    Unsupported(Capability),
    /// There is no way to put this question, and nothing was sent; the text says why. Either the revision that the
    /// client speaks has no such field (lists of choices came with 2025-11-25), or the form is one that no client could
    /// show.
    Inexpressible(String),
    /// Nobody answered in time.
    TimedOut,
    /// The answer did not fit the question, or the client refused with an error; the text says how. Clients before 2026-07-28 alone answer so: from later ones an answer that does not fit is not taken. A
    /// task's is refused with -32602 and the question stays open, and a call that is no task asks again.
    Invalid(String),
    /// Whoever could have answered is gone.
    Gone,
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => {
                f.write_str("the call was cancelled before the question was answered")
            }
            Self::Unsupported(Capability::Elicitation) => {
                f.write_str("the client cannot show forms to its user (capability `elicitation`)")
            }
            Self::Unsupported(Capability::UrlElicitation) => f.write_str(
                "the client cannot show URLs to its user (capability `elicitation.url`)",
            ),
            Self::Unsupported(Capability::Roots) => {
                f.write_str("the client does not list roots (capability `roots`)")
            }
            Self::Unsupported(Capability::SamplingTools) => {
                f.write_str("the client's model cannot use tools (capability `sampling.tools`)")
            }
            Self::Unsupported(_) => {
                f.write_str("the client offers no model (capability `sampling`)")
            }
            Self::Inexpressible(why) => write!(f, "the question cannot be put: {why}"),
            Self::TimedOut => f.write_str("the question was not answered in time"),
            Self::Invalid(why) => write!(f, "the answer does not fit the question: {why}"),
            Self::Gone => f.write_str("the client went away before it answered"),
        }
    }
}

impl std::error::Error for AskError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unsupported(capability) => Some(Lacking::of(*capability)),
            _ => None,
        }
    }
}

/// What a client lacks, behind [`AskError::Unsupported`]. It is found where that error is not: `io::Error::other`,
/// `Arc` and `#[error(transparent)]` hide the error they hold and show its sources.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lacking(pub(crate) Capability);

impl Lacking {
    fn of(capability: Capability) -> &'static Self {
        match capability {
            Capability::Elicitation => &Self(Capability::Elicitation),
            Capability::UrlElicitation => &Self(Capability::UrlElicitation),
            Capability::Sampling => &Self(Capability::Sampling),
            Capability::SamplingTools => &Self(Capability::SamplingTools),
            Capability::Roots => &Self(Capability::Roots),
            Capability::Tasks => &Self(Capability::Tasks),
        }
    }
}

impl fmt::Display for Lacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.0 {
            Capability::Elicitation => "elicitation",
            Capability::UrlElicitation => "elicitation.url",
            Capability::Sampling => "sampling",
            Capability::SamplingTools => "sampling.tools",
            Capability::Roots => "roots",
            Capability::Tasks => "tasks",
        };
        write!(f, "the client lacks the capability `{name}`")
    }
}

impl std::error::Error for Lacking {}

/// Why a call could not become a task.
///
/// [The guide](crate::guide::tasks#when-a-call-is-a-task) shows a tool that begins its task by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BeginError {
    /// The server holds as many tasks as it may.
    TooMany,
    /// The call was cancelled first.
    Cancelled,
    /// The task store failed; the text says how.
    Store(String),
}

impl fmt::Display for BeginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => f.write_str("too many running tasks"),
            Self::Cancelled => f.write_str("the call was cancelled before it became a task"),
            Self::Store(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for BeginError {}
