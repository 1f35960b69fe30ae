//! A question is a builder that awaits.

use std::borrow::Cow;
use std::fmt;
use std::future::IntoFuture;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot::Receiver;

use crate::model::BoxFuture;
use crate::model::error::AskError;
use crate::model::input::{InputRequest, InputResponse};

use super::port::{Answered, Asked};
use super::{Context, Port};

/// A question to the client or its user. Await it, or call [`wait`](Self::wait) in a blocking tool.
///
/// Nothing is sent before the first poll. Dropping it withdraws the question.
///
/// ```
/// use std::time::Duration;
/// use mcp_tasks::{AskError, Context};
///
/// async fn sure(ctx: &Context) -> Result<bool, AskError> {
///     ctx.confirm("Really?").key("sure").timeout(Duration::from_secs(60)).await
/// }
/// ```
#[must_use = "a question is asked when it is awaited"]
pub struct Question<T> {
    context: Context,
    key: Cow<'static, str>,
    request: Arc<InputRequest>,
    timeout: Duration,
    read: fn(&InputResponse) -> Result<T, AskError>,
}

impl<T: Send + 'static> Question<T> {
    pub(super) fn new(
        context: &Context,
        key: &'static str,
        request: InputRequest,
        read: fn(&InputResponse) -> Result<T, AskError>,
    ) -> Self {
        let timeout = context.inner.port.shared().max_wait;
        Self {
            context: context.clone(),
            key: Cow::Borrowed(key),
            request: Arc::new(request),
            timeout,
            read,
        }
    }

    /// Names the question on the wire. A key that the call has used before gets a number (`confirm-2`).
    pub fn key(mut self, key: impl Into<Cow<'static, str>>) -> Self {
        self.key = key.into();
        self
    }

    /// How long to wait for the answer, at most the server's `max_wait`.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout.min(self.context.inner.port.shared().max_wait);
        self
    }

    /// Asks and blocks this thread until the answer is there. For tools marked `blocking`.
    ///
    /// # Panics
    /// Inside async code, where a thread must not block.
    #[track_caller]
    pub fn wait(self) -> Result<T, AskError> {
        let runtime = self.context.inner.port.runtime().clone();
        let answer = self.ask();
        #[cfg(feature = "testing")]
        let answer = super::standstill::waiting(answer);
        runtime.block_on(answer)
    }

    /// Asks: what awaiting it does, as a future that can be joined with others.
    ///
    /// ```
    /// use mcp_tasks::{AskError, Context};
    ///
    /// async fn both(ctx: &Context) -> Result<bool, AskError> {
    ///     let (now, later) = tokio::try_join!(ctx.confirm("Now?").ask(), ctx.confirm("Later?").ask())?;
    ///     Ok(now && later)
    /// }
    /// ```
    pub fn ask(self) -> impl Future<Output = Result<T, AskError>> + Send + 'static {
        // In a box of its own until it is put: while the user thinks, nothing of it is kept.
        let question = Box::new(self);
        async move {
            let (timeout, read) = (question.timeout, question.read);
            let (mut open, answer) = {
                // The box ends with the block.
                let question = question;
                question.put()?
            };
            match tokio::time::timeout(timeout, answer).await {
                Err(_) => Err(AskError::TimedOut),
                Ok(answer) => {
                    open.port = None;
                    read(&*answer.unwrap_or(Err(AskError::Gone))?)
                }
            }
        }
    }

    fn put(self) -> Result<(Open, Receiver<Answered>), AskError> {
        let port = Arc::clone(&self.context.inner.port);
        let Asked { key, answer } = port.ask(&self.key, self.request, crate::ASKING)?;
        let open = Open {
            port: Some(port),
            key,
        };
        Ok((open, answer))
    }
}

impl<T: Send + 'static> IntoFuture for Question<T> {
    type Output = Result<T, AskError>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.ask())
    }
}

impl<T> fmt::Debug for Question<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question")
            .field("key", &self.key)
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}

/// A question that has been put; withdrawn when its asker stops waiting.
struct Open {
    port: Option<Arc<dyn Port>>,
    key: Arc<str>,
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(port) = &self.port {
            port.withdraw(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size<F>(_: impl FnOnce(Question<bool>) -> F) -> usize {
        size_of::<F>()
    }

    /// A bound far above what is there, and far below what was there once.
    #[test]
    fn a_question_that_waits_stays_small() {
        assert!(size(Question::ask) <= 240, "{}", size(Question::ask));
    }
}
