//! How a tool says that it failed.

use std::error::Error;
use std::fmt::{self, Write as _};

use serde_json::Value;

use super::capped::{Capped, capped};
use super::guard::{discard, guarded};
use crate::context::Cancelled;
use crate::model::capability::Capability;
use crate::model::error::{AskError, BeginError, Lacking, RpcError};

/// Why a tool failed: made by `?` from any error, or from a text.
///
/// The model reads the error's text and that of its sources, as a result that says `isError`. For
/// the rare failure that is the caller's program's to handle there is [`ToolError::protocol`].
///
/// One error is told otherwise: [`AskError::Unsupported`] that a tool lets out, by itself or as the source of another
/// error, is the JSON-RPC error -32021 for a 2026-07-28 client, which names the missing capability.
///
/// ```
/// use mcp_tasks::ToolError;
///
/// fn read_port(text: &str) -> Result<u16, ToolError> {
///     if text.is_empty() {
///         return Err("no port given".into());
///     }
///     Ok(text.parse()?)
/// }
/// assert_eq!(read_port("").unwrap_err().to_string(), "no port given");
/// assert_eq!(read_port("x").unwrap_err().to_string(), "invalid digit found in string");
/// ```
///
/// It is not itself an [`Error`], which is what lets every error become one. What each client sees of one is in
/// [the guide](crate::guide::what_reaches_whom#how-a-call-ends).
pub struct ToolError(Cause);

enum Cause {
    /// Made for the model to read.
    Told(Box<Told>),
    /// Converted from an error that was made for somebody else.
    Error(Box<dyn Error + Send + Sync>),
    Protocol(Box<RpcError>),
}

/// A text for the model, and what it stands for.
#[derive(Debug)]
struct Told {
    text: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for Told {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// What becomes of a [`ToolError`].
#[derive(Debug)]
pub(crate) enum Failure {
    /// A result with `isError` and this text.
    Tool { text: String },
    /// The same, where the error and its sources are not the client's to read; `text` is what it may read.
    Masked { text: Option<String>, chain: String },
    /// A JSON-RPC error in place of a result.
    Protocol(RpcError),
    /// A question got out of the tool unasked, for want of this.
    Missing(Capability),
}

impl ToolError {
    /// An error with a text made for the model. It is read even where
    /// [`Server::mask_errors`](crate::Server::mask_errors) keeps other errors from clients.
    ///
    /// ```
    /// use mcp_tasks::ToolError;
    ///
    /// let error = ToolError::new("no such city; ask the user how it is spelt");
    /// assert_eq!(error.to_string(), "no such city; ask the user how it is spelt");
    /// ```
    pub fn new(text: impl Into<String>) -> Self {
        Self(Cause::Told(Box::new(Told {
            text: text.into(),
            source: None,
        })))
    }

    /// Adds what a text of [`new`](Self::new) stands for. The model reads that as well, behind the text, unless the
    /// server masks errors; then it is only logged. Other errors stay as they are.
    ///
    /// ```
    /// use mcp_tasks::ToolError;
    ///
    /// fn prices() -> Result<String, ToolError> {
    ///     std::fs::read_to_string("/srv/prices")
    ///         .map_err(|error| ToolError::new("the prices are not there today").with_source(error))
    /// }
    /// # assert!(prices().is_err());
    /// ```
    pub fn with_source(self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        match self.0 {
            Cause::Told(mut told) => {
                told.source = Some(source.into());
                Self(Cause::Told(told))
            }
            other => Self(other),
        }
    }

    /// A JSON-RPC error in place of a result; the model may never see it.
    ///
    /// ```
    /// use mcp_tasks::{ErrorCode, ToolError};
    ///
    /// const QUOTA: ErrorCode = ErrorCode::new(4290).unwrap();
    /// let error = ToolError::protocol(QUOTA, "monthly quota used up")
    ///     .with_data(serde_json::json!({"resets": "2026-08-01"}));
    /// assert_eq!(error.to_string(), "monthly quota used up (4290)");
    /// ```
    pub fn protocol(code: ErrorCode, message: impl Into<String>) -> Self {
        Self(Cause::Protocol(Box::new(RpcError::new(
            code.0,
            message.into(),
        ))))
    }

    /// Adds the `data` of a JSON-RPC error. Other errors have no such field and stay as they are.
    pub fn with_data(self, data: impl Into<Value>) -> Self {
        match self.0 {
            Cause::Protocol(error) => {
                Self(Cause::Protocol(Box::new(error.with_data(&data.into()))))
            }
            Cause::Error(_) | Cause::Told(_) => self,
        }
    }

    /// The question that went unanswered, if that is the reason: the error itself or one of its
    /// sources.
    pub fn ask_error(&self) -> Option<&AskError> {
        match &self.0 {
            Cause::Error(error) => asked(error.as_ref()),
            Cause::Told(told) => asked(told.as_ref()),
            Cause::Protocol(_) => None,
        }
    }

    /// What to answer, with a text of at most `cap` bytes; `mask` keeps what was not made for the model from it. It is
    /// the author's code that names the sources, writes the texts and drops the error, and it may panic.
    pub(crate) fn failure(self, cap: usize, mask: bool) -> Failure {
        let failure = match self.0 {
            Cause::Protocol(error) => return Failure::Protocol(*error),
            Cause::Told(told) => {
                let open = !mask || told.source.is_none();
                let failure = guarded(|| {
                    described(told.as_ref(), cap, open, || Some(capped(&told.text, cap)))
                });
                discard(told);
                failure
            }
            Cause::Error(error) => {
                let failure = guarded(|| {
                    let error = error.as_ref();
                    described(error, cap, !mask || is_ours(error), || None)
                });
                discard(error);
                failure
            }
        };
        failure.unwrap_or_else(|_| Failure::Tool {
            text: "the tool failed, and so did the description of its error".to_owned(),
        })
    }
}

fn described(
    error: &(dyn Error + 'static),
    cap: usize,
    open: bool,
    told: impl FnOnce() -> Option<String>,
) -> Failure {
    match lacking(error) {
        Some(capability) => Failure::Missing(capability),
        None if open => Failure::Tool {
            text: text(error, cap),
        },
        None => Failure::Masked {
            text: told(),
            chain: text(error, cap),
        },
    }
}

/// Errors of this crate whose texts tell nothing of the server.
fn is_ours(error: &(dyn Error + 'static)) -> bool {
    let begin = error.downcast_ref::<BeginError>();
    error.is::<AskError>()
        || error.is::<Cancelled>()
        || begin.is_some_and(|error| !matches!(error, BeginError::Store(_)))
}

fn asked<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e AskError> {
    chain(error).find_map(|error| error.downcast_ref())
}

/// What the client lacks, if that is why a question went unasked and the error tells of it.
fn lacking(error: &(dyn Error + 'static)) -> Option<Capability> {
    chain(error).find_map(|error| error.downcast_ref().map(|Lacking(capability)| *capability))
}

/// An error and its sources. A chain that never ends ends here.
fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    const LONGEST: usize = 64;
    std::iter::successors(Some(error), |error| (*error).source()).take(LONGEST)
}

/// The texts of an error and its sources.
fn text(error: &(dyn Error + 'static), cap: usize) -> String {
    let mut text = Capped::new(cap);
    // A failed write means that the cap is reached, which the text shows by itself.
    let _ = write_chain(error, cap, &mut text);
    text.finish()
}

fn write_chain(error: &(dyn Error + 'static), cap: usize, text: &mut Capped) -> fmt::Result {
    write!(text, "{error}")?;
    for source in chain(error).skip(1) {
        let mut more = Capped::new(cap);
        let _ = write!(more, "{source}");
        let more = more.finish();
        // Many errors print their source themselves.
        if !more.is_empty() && !text.as_str().contains(&more) {
            write!(text, ": {more}")?;
        }
    }
    Ok(())
}

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self(Cause::Error(error.into()))
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::Error(error) => error.fmt(f),
            Cause::Told(told) => told.fmt(f),
            Cause::Protocol(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::Error(error) => f.debug_tuple("ToolError").field(error).finish(),
            Cause::Told(told) => f.debug_tuple("ToolError").field(told).finish(),
            Cause::Protocol(error) => f.debug_tuple("ToolError").field(error).finish(),
        }
    }
}

/// A JSON-RPC error code that a tool may raise: invalid parameters, an internal error, or a code of
/// the application's own. The rest of -32768..=-32000 belongs to JSON-RPC and MCP.
///
/// [`ToolError::protocol`] shows it at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ErrorCode(i64);

impl ErrorCode {
    /// -32602: the caller's parameters are wrong.
    pub const INVALID_PARAMS: Self = Self(RpcError::INVALID_PARAMS);
    /// -32603: something went wrong here.
    pub const INTERNAL_ERROR: Self = Self(RpcError::INTERNAL);

    /// A code of the application's own; `None` for a reserved one other than the two above, and for one that
    /// a client in JavaScript could not hold (beyond 2^53).
    pub const fn new(code: i64) -> Option<Self> {
        const SAFE: i64 = (1 << 53) - 1;
        match code {
            RpcError::INVALID_PARAMS | RpcError::INTERNAL => Some(Self(code)),
            -32768..=-32000 => None,
            _ if code >= -SAFE && code <= SAFE => Some(Self(code)),
            _ => None,
        }
    }

    /// The number.
    pub const fn get(self) -> i64 {
        self.0
    }
}

#[cfg(test)]
mod tests;
