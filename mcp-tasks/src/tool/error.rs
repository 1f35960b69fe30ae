//! How a tool says that it failed.

use std::error::Error;
use std::fmt::{self, Write as _};

use serde_json::Value;

use super::capped::Capped;
use super::guard::{discard, guarded};
use crate::model::capability::Capability;
use crate::model::error::{AskError, Lacking, RpcError};

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
    Error(Box<dyn Error + Send + Sync>),
    Protocol(Box<RpcError>),
}

/// What becomes of a [`ToolError`].
#[derive(Debug)]
pub(crate) enum Failure {
    /// A result with `isError` and this text.
    Tool { text: String },
    /// A JSON-RPC error in place of a result.
    Protocol(RpcError),
    /// A question got out of the tool unasked, for want of this.
    Missing(Capability),
}

impl ToolError {
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
            Cause::Error(_) => self,
        }
    }

    /// The question that went unanswered, if that is the reason: the error itself or one of its
    /// sources.
    pub fn ask_error(&self) -> Option<&AskError> {
        match &self.0 {
            Cause::Error(error) => asked(error.as_ref()),
            Cause::Protocol(_) => None,
        }
    }

    /// What to answer, with a text of at most `cap` bytes. It is the author's code that names the sources,
    /// writes the texts and drops the error, and it may panic.
    pub(crate) fn failure(self, cap: usize) -> Failure {
        match self.0 {
            Cause::Protocol(error) => Failure::Protocol(*error),
            Cause::Error(error) => {
                let failure = guarded(|| described(error.as_ref(), cap));
                discard(error);
                failure.unwrap_or_else(|_| Failure::Tool {
                    text: "the tool failed, and so did the description of its error".to_owned(),
                })
            }
        }
    }
}

fn described(error: &(dyn Error + 'static), cap: usize) -> Failure {
    match lacking(error) {
        Some(capability) => Failure::Missing(capability),
        None => Failure::Tool {
            text: text(error, cap),
        },
    }
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
            Cause::Protocol(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::Error(error) => f.debug_tuple("ToolError").field(error).finish(),
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
