//! What an application puts round every call of a tool.

use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::caller::Caller;
use crate::context::Context;
use crate::model::BoxFuture;
use crate::tool::Output;
use crate::tool::error::ToolError;

/// All that is round a call: makes of a body one that runs within.
pub(super) type Around =
    Arc<dyn Fn(ToolCall, BoxFuture<'static, Output>) -> BoxFuture<'static, Output> + Send + Sync>;

/// A call of a tool, as [`Server::around`](crate::Server::around) sees it.
#[derive(Clone)]
pub struct ToolCall {
    pub(super) context: Context,
    pub(super) caller: Caller,
    pub(super) arguments: Option<Arc<RawValue>>,
}

impl ToolCall {
    /// The tool's name.
    pub fn tool(&self) -> &str {
        self.context.tool()
    }

    /// Who calls.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The arguments as they came, as JSON text; the tool has found them fitting.
    pub fn raw_arguments(&self) -> &str {
        self.arguments.as_ref().map_or("{}", |raw| raw.get())
    }

    /// The arguments as `T`.
    ///
    /// # Errors
    /// If they are none.
    pub fn arguments<T: DeserializeOwned>(&self) -> Result<T, ToolError> {
        let arguments = serde_json::from_str(self.raw_arguments());
        arguments.map_err(|error| ToolError::new(format!("the arguments do not fit: {error}")))
    }

    /// What the tool itself sees: the call's id, its task, the server's state.
    pub fn context(&self) -> &Context {
        &self.context
    }
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("tool", &self.tool())
            .field("caller", &self.caller)
            .finish_non_exhaustive()
    }
}

/// The rest of a call: what was put round it later, and the tool itself. Dropped, it has not run.
///
/// [`Server::around`](crate::Server::around) shows it at work.
#[must_use = "without `run` the tool does not run"]
pub struct Next(BoxFuture<'static, Output>);

impl Next {
    /// Runs the rest of the call.
    ///
    /// # Errors
    /// What the tool failed with.
    pub async fn run(self) -> Result<Output, ToolError> {
        self.0.await.0.map(|output| Output(Ok(output)))
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Next")
    }
}

/// `outer`, if there is one, round `inner` round a body.
pub(super) fn nested(
    outer: Option<Around>,
    inner: impl Fn(ToolCall, Next) -> BoxFuture<'static, Result<Output, ToolError>>
    + Send
    + Sync
    + 'static,
) -> Around {
    let inner = Arc::new(inner);
    Arc::new(move |call: ToolCall, body| {
        let (around, own) = (Arc::clone(&inner), call.clone());
        let wrapped: BoxFuture<'static, Output> = Box::pin(async move {
            match around(own, Next(body)).await {
                Ok(output) => output,
                Err(error) => Output(Err(error)),
            }
        });
        match &outer {
            Some(outer) => outer(call, wrapped),
            None => wrapped,
        }
    })
}
