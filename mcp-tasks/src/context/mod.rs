//! What a running tool sees: its context, its questions, its cancellation. It talks outward through
//! one trait, [`Port`].

pub(crate) mod ask;
pub(crate) mod call_id;
pub(crate) mod elicit;
pub(crate) mod extensions;
pub(crate) mod form;
pub(crate) mod port;
pub(crate) mod progress;
pub(crate) mod sample;
#[cfg(feature = "testing")]
pub(crate) mod standstill;
pub(crate) mod stop;
pub(crate) mod typemap;

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub(crate) use self::call_id::CallId;
use self::extensions::Extensions;
pub(crate) use self::port::Port;
use self::progress::{Count, Total};
pub use self::stop::Cancelled;
pub(crate) use self::stop::Stop;
use self::typemap::TypeMap;
use crate::model::cancel::CancelReason;
use crate::model::capability::Capability;
use crate::model::error::BeginError;
use crate::model::level::LogLevel;
use crate::model::principal::Principal;
use crate::model::task::TaskId;

/// A running call, seen from inside the tool: report, ask, look for cancellation.
///
/// Cheap to clone; every clone speaks for the same call, and all of them may be kept and used from any
/// thread. Works the same whether the call runs as a task or answers inline.
///
/// ```
/// use mcp_tasks::Context;
///
/// async fn copy(ctx: Context, files: Vec<String>) -> Result<(), mcp_tasks::ToolError> {
///     for (done, file) in files.iter().enumerate() {
///         ctx.check()?;
///         ctx.progress(done, files.len(), file);
///     }
///     Ok(())
/// }
/// ```
///
/// What it knows of the call, and what it tells without a number:
///
/// ```
/// use mcp_tasks::{Capability, Context, LogLevel};
///
/// struct Region(&'static str);
///
/// fn look_round(ctx: &Context) {
///     let who = ctx.principal().map_or("somebody", |who| who.subject());
///     let how = ctx.task_id().map_or("inline".to_owned(), |task| format!("as task {task}"));
///     ctx.log(LogLevel::Info, format!("{} {} for {who}, {how}", ctx.tool(), ctx.call_id()));
///     if let Some(region) = ctx.state::<Region>() {
///         ctx.status(format!("working in {}", region.0));
///     }
///     if !ctx.supports(Capability::Elicitation) {
///         ctx.status("there is nobody to ask");
///     }
///     if let Some(reason) = ctx.cancel_reason() {
///         ctx.log(LogLevel::Notice, format!("winding down: {reason}"));
///     }
/// }
/// ```
///
/// [The guide](crate::guide) has chapters on [asking](crate::guide::asking) and on
/// [what each client sees](crate::guide::what_reaches_whom).
///
/// # Cancellation
///
/// A call is cancelled when its client says so, when it has run longer than its `timeout`, when its task expires,
/// and when the connection or the server ends. Then
///
/// - an async function is dropped at its next `.await`, as futures are; what must be undone belongs into a `Drop`.
/// - an async function that takes a [`CancellationToken`](crate::CancellationToken) goes on: the token fires, and only
///   after `cancel_grace` (five seconds unless the attribute or [`Limits`](crate::Limits) says otherwise) is it dropped. An
///   `Ok` it returns meanwhile still completes a 2026-07-28 task; a 2025-11-25 task is cancelled already, and a call that is
///   no task is not answered any more. Any `Err` ends the run as cancelled.
/// - a `blocking` function goes on too, for nobody can stop a thread: it looks with [`check`](Self::check). One that
///   never looks runs to its end, and after `cancel_grace` its result is discarded.
///
/// # Without a server
///
/// A test that calls a tool's function itself gets a context from `testing::context()` (feature `testing`).
#[derive(Clone)]
pub struct Context {
    inner: Arc<Inner>,
}

/// What does not change over a call's life.
pub(crate) struct Inner {
    pub(crate) call_id: CallId,
    pub(crate) meta: Option<Arc<RawValue>>,
    pub(crate) extensions: Extensions,
    pub(crate) port: Arc<dyn Port>,
}

/// What all calls of a server share.
pub(crate) struct Shared {
    pub(crate) states: TypeMap,
    /// The right to a thread of one's own.
    pub(crate) blocking: Arc<Semaphore>,
    /// The longest that a question waits.
    pub(crate) max_wait: Duration,
}

impl Context {
    pub(crate) fn new(inner: Inner) -> Self {
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Reports how far the work is: `done` of `total`, with a line of text.
    ///
    /// Takes any number type; `None` for an unknown total. What the client sees depends on how it called:
    /// a progress notification, the task's status message, or both. Calling this in a hot loop is fine:
    /// a flood is thinned to its latest value, at most ten a second after a first burst. A value that
    /// does not rise is reported as a [`status`](Self::status). Progress notifications go to clients that sent a
    /// `progressToken` with the call, and to no others.
    pub fn progress(&self, done: impl Count, total: impl Total, text: impl AsRef<str>) {
        self.inner
            .port
            .progress(done.count(), total.total(), text.as_ref());
    }

    /// Says in a line of text what is going on, without a number: the task's status message. A call that is no task
    /// sends it as a [`log`](Self::log) message of level `info`, which only clients see that asked for those;
    /// [`progress`](Self::progress) with a rising number and `None` for the total reaches more of them.
    pub fn status(&self, text: impl AsRef<str>) {
        self.inner.port.status(text.as_ref());
    }

    /// Sends a log message to the client, if it asked for messages of this level. One that is far behind with
    /// reading misses some.
    pub fn log(&self, level: LogLevel, text: impl AsRef<str>) {
        self.inner.port.log(level, text.as_ref());
    }

    /// `Err` once the call has been cancelled. Costs little more than an atomic load.
    ///
    /// # Errors
    /// [`Cancelled`], with the reason.
    pub fn check(&self) -> Result<(), Cancelled> {
        self.inner.port.stop().check()
    }

    /// Why the call was cancelled, if it was.
    pub fn cancel_reason(&self) -> Option<CancelReason> {
        self.inner.port.stop().reason()
    }

    /// A name for this call that no other call of this process has. Stays the same when the call
    /// becomes a task or is taken up again by another request.
    pub fn call_id(&self) -> &str {
        self.inner.call_id.text()
    }

    /// The tool's name, as clients call it.
    pub fn tool(&self) -> &str {
        self.inner.port.tool()
    }

    /// The task's id, while the call runs as one.
    pub fn task_id(&self) -> Option<TaskId> {
        self.inner.port.task_id()
    }

    /// Who calls, if the transport authenticated somebody.
    pub fn principal(&self) -> Option<&Principal> {
        self.inner.port.owner().principal()
    }

    /// Whether the client can do this for a tool.
    pub fn supports(&self, capability: Capability) -> bool {
        self.inner.port.supports(capability)
    }

    /// The server's shared `T`, if it holds one (see `Server::state`).
    pub fn state<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.inner.port.shared().states.get()
    }

    /// Makes the call a task, where the tool says `begin = "manual"` and the client can follow one.
    /// Elsewhere the call goes on as it is, and this succeeds too.
    ///
    /// [The guide](crate::guide::tasks#when-a-call-is-a-task) shows a tool that does.
    ///
    /// # Errors
    /// [`BeginError`] if the server holds too many tasks, or its store fails.
    pub async fn begin_task(&self) -> Result<(), BeginError> {
        self.inner.port.begin_task().await
    }

    pub(crate) fn token(&self) -> &CancellationToken {
        self.inner.port.stop().token()
    }

    pub(crate) fn state_any(&self, id: TypeId) -> Option<&Arc<dyn Any + Send + Sync>> {
        self.inner.port.shared().states.get_any(id)
    }

    pub(crate) fn extension<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        self.inner.extensions.get()
    }

    pub(crate) fn meta_raw(&self) -> Option<&Arc<RawValue>> {
        self.inner.meta.as_ref()
    }

    pub(crate) fn blocking_permits(&self) -> &Arc<Semaphore> {
        &self.inner.port.shared().blocking
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("tool", &self.tool())
            .field("call_id", &self.call_id())
            .finish_non_exhaustive()
    }
}
