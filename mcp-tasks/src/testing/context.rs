//! A context without a server, to call a tool's function by itself.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, LazyLock, MutexGuard};
use std::time::Duration;

use serde_json::Value;
use tokio::runtime::{Builder, Handle};
use tokio::sync::Semaphore;

use super::recorder::{Recorder, Recording, Records};
use super::script::{Question, Reply};
use crate::context::extensions::Extensions;
use crate::context::typemap::TypeMap;
use crate::context::{CallId, Context, Inner, Shared};
use crate::model::cancel::CancelReason;
use crate::model::capability::Capability;
use crate::model::level::LogLevel;
use crate::model::principal::{Owner, Principal};

/// A hand-made context: for calling a tool's function itself, without a server or a client.
///
/// ```
/// use mcp_tasks::prelude::*;
/// use mcp_tasks::testing;
///
/// /// Import rows, after asking.
/// #[mcp_tool(task)]
/// async fn import(rows: u32, ctx: Context) -> Result<String, ToolError> {
///     if !ctx.confirm(format!("Import {rows} rows?")).await? {
///         return Ok("nothing imported".into());
///     }
///     ctx.progress(rows, rows, "imported");
///     Ok(format!("{rows} rows"))
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let call = testing::context().accept(serde_json::json!({ "confirm": true }));
/// assert_eq!(import(7, call.context()).await.unwrap(), "7 rows");
/// assert_eq!(call.questions()[0].message(), "Import 7 rows?");
/// assert_eq!(call.progress()[0].text, "imported");
/// # }
/// ```
///
/// What the function reports is recorded, thinned by nothing. Its questions are answered from the script, in the
/// order given, by the rules of [`Call`](super::Call); an answer that does not fit its question is
/// [`AskError::Invalid`](crate::AskError::Invalid), as with older clients. The call is no task, and its client can
/// do everything that it does not [lack](TestContext::lacking).
pub fn context() -> TestContext {
    TestContext {
        recording: Arc::default(),
        states: TypeMap::default(),
        extensions: TypeMap::default(),
        owner: Owner::Process.into(),
    }
}

/// A context under test and what was said through it; made by [`context`].
///
/// # Panics
/// When it is dropped with replies that no question has used up.
pub struct TestContext {
    recording: Arc<Recording>,
    states: TypeMap,
    extensions: TypeMap,
    owner: Arc<Owner>,
}

/// A progress report as the tool made it.
///
/// [`context`] shows it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How far the work is.
    pub done: f64,
    /// How far it will go, where that is known.
    pub total: Option<f64>,
    /// The line of text.
    pub text: String,
}

impl TestContext {
    /// The next question is accepted with this content.
    pub fn accept(self, content: Value) -> Self {
        self.reply(Reply::Accept(content))
    }

    /// The next question is declined.
    pub fn decline(self) -> Self {
        self.reply(Reply::Decline)
    }

    /// The next question is closed without a choice.
    pub fn dismiss(self) -> Self {
        self.reply(Reply::Dismiss)
    }

    /// The next question is never answered.
    pub fn never_answer(self) -> Self {
        self.reply(Reply::Never)
    }

    /// The next question gets this reply.
    pub fn reply(self, reply: Reply) -> Self {
        self.records().script.push(None, reply);
        self
    }

    /// The question with this key, or with this in its message, gets this reply.
    pub fn reply_to(self, about: impl Into<String>, reply: Reply) -> Self {
        self.records().script.push(Some(about.into()), reply);
        self
    }

    /// Every question that the replies do not cover is put to `responder`.
    pub fn reply_with(self, responder: impl FnMut(&Question) -> Reply + Send + 'static) -> Self {
        self.records().script.otherwise(Box::new(responder));
        self
    }

    /// The client cannot do this.
    pub fn lacking(self, capability: Capability) -> Self {
        self.records().lacking.push(capability);
        self
    }

    /// The server shares this `T`, for [`Context::state`] and for extractors of your own.
    pub fn state<T: Any + Clone + Send + Sync>(mut self, value: T) -> Self {
        self.states.insert(value);
        self
    }

    /// The request carries this `T`, for extractors of your own.
    pub fn extension<T: Any + Clone + Send + Sync>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }

    /// This principal calls.
    pub fn principal(mut self, principal: Principal) -> Self {
        self.owner = Owner::Principal(principal).into();
        self
    }

    /// The context to hand to the function; all that come from here speak for one call.
    pub fn context(&self) -> Context {
        Context::new(Inner {
            call_id: CallId::next(),
            meta: None,
            extensions: Extensions::given(self.extensions.clone()),
            port: Arc::new(Recorder {
                recording: Arc::clone(&self.recording),
                owner: Arc::clone(&self.owner),
                runtime: Handle::try_current().unwrap_or_else(|_| ELSEWHERE.clone()),
                shared: Shared {
                    states: self.states.clone(),
                    blocking: Arc::new(Semaphore::new(1)),
                    max_wait: Duration::from_secs(24 * 3600),
                },
            }),
        })
    }

    /// Cancels the call: `ctx.check()` fails from now on, and so does an open question. Nothing drops the
    /// function's future; that is a server's part.
    pub fn cancel(&self, reason: CancelReason) {
        self.recording.cancel(reason);
    }

    /// Each report of [`Context::progress`].
    pub fn progress(&self) -> Vec<Progress> {
        self.records().progress.clone()
    }

    /// Each line of [`Context::status`].
    pub fn statuses(&self) -> Vec<String> {
        self.records().statuses.clone()
    }

    /// Each message of [`Context::log`].
    pub fn logs(&self) -> Vec<(LogLevel, String)> {
        self.records().logs.clone()
    }

    /// What the tool asked.
    pub fn questions(&self) -> Vec<Question> {
        self.records().questions.clone()
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.recording.records()
    }
}

impl fmt::Debug for TestContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let records = self.records();
        f.debug_struct("TestContext")
            .field("progress", &records.progress)
            .field("statuses", &records.statuses)
            .field("logs", &records.logs)
            .field("questions", &records.questions)
            .finish_non_exhaustive()
    }
}

impl Drop for TestContext {
    fn drop(&mut self) {
        let left = format!("{:?}", self.records().script.left());
        assert!(
            left == "[]" || std::thread::panicking(),
            "a context was dropped with replies left over: {left}"
        );
    }
}

/// For a test outside any runtime, whose blocking function still waits for answers.
static ELSEWHERE: LazyLock<Handle> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_time().build();
    let runtime = runtime.expect("a runtime without I/O needs nothing of the system");
    let handle = runtime.handle().clone();
    std::thread::spawn(move || runtime.block_on(std::future::pending::<()>()));
    handle
});

#[cfg(test)]
mod tests;
