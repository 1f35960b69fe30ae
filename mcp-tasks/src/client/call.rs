//! A call that is under way.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio_util::sync::CancellationToken;

use super::core::Core;
use super::dialect::Wire;
use super::drive::{Phase, begin};
use super::error::ClientError;
use super::router::ProgressSink;
use crate::model::BoxFuture;
use crate::model::remote::{CallResult, Progress, Task};
use crate::model::task::TaskId;

pub(super) type OnStatus = Box<dyn FnMut(Task) -> BoxFuture<'static, ()> + Send>;

/// What leads back to a task from another client, another process or another day.
///
/// It holds the task's id, which is all that some servers ask for: keep it like a password. [`Client::resume`](super::Client::resume)
/// takes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reference {
    /// The task's id.
    pub task_id: String,
    /// The wire the task was made on. On another one the server does not know it.
    pub wire: Wire,
    /// The tool that was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
}

impl Reference {
    /// A reference to a task whose id is known otherwise.
    pub fn new(task_id: impl Into<String>, wire: Wire) -> Self {
        Self {
            task_id: task_id.into(),
            wire,
            tool: None,
        }
    }
}

pub(super) enum Source {
    Call { name: String, arguments: Value },
    Resume(Reference),
}

/// A call that has not begun: what is to be told of it, and how long its result should be kept. Await it to begin the
/// call. Made by [`Client::begin_call_tool`](super::Client::begin_call_tool) and
/// [`Client::resume`](super::Client::resume).
#[must_use = "the call begins when this is awaited"]
pub struct BeginCall {
    pub(super) core: Arc<Core>,
    pub(super) source: Source,
    pub(super) keep: Option<Duration>,
    pub(super) on_status: Option<OnStatus>,
    pub(super) progress: Option<ProgressSink>,
}

impl BeginCall {
    pub(super) fn new(core: Arc<Core>, source: Source) -> Self {
        Self {
            core,
            source,
            keep: None,
            on_status: None,
            progress: None,
        }
    }

    /// How long the server should keep the task: from its creation on 2025-11-25, from its end in the SEP-1686 draft.
    /// The server may keep it longer or shorter; in 2026-07-28 it is not asked.
    pub fn keep(mut self, duration: Duration) -> Self {
        self.keep = Some(duration);
        self
    }

    /// Runs `take` with each state of the task that is seen, beginning with its first. The next look waits for it.
    pub fn on_status<F, A>(mut self, mut take: F) -> Self
    where
        F: FnMut(Task) -> A + Send + 'static,
        A: Future<Output = ()> + Send + 'static,
    {
        self.on_status = Some(Box::new(move |task| Box::pin(take(task))));
        self
    }

    /// Asks for progress, and runs `take` with it. It must not block: messages are read in between. A task of
    /// 2026-07-28 tells of its progress by its [message](Task::message) instead.
    pub fn on_progress(mut self, take: impl FnMut(Progress) + Send + 'static) -> Self {
        self.progress = Some(Arc::new(Mutex::new(take)));
        self
    }
}

impl IntoFuture for BeginCall {
    type Output = Result<PendingCall, ClientError>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(begin(self))
    }
}

impl fmt::Debug for BeginCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BeginCall").finish_non_exhaustive()
    }
}

/// A call under way. It goes on by itself, its questions are answered, and its task, if it becomes one, is followed.
///
/// Dropped before the call's end, it cancels the call; [`detach`](Self::detach) does not. All its methods may be
/// given up and called again. [`Client::begin_call_tool`](super::Client::begin_call_tool) shows them at work.
#[derive(Debug)]
#[must_use = "a call is cancelled when it is dropped"]
pub struct PendingCall {
    pub(super) phase: watch::Receiver<Phase>,
    pub(super) cancel: CancellationToken,
    pub(super) detached: Arc<AtomicBool>,
    pub(super) driver: AbortHandle,
    pub(super) tool: Option<String>,
    pub(super) wire: Wire,
}

impl PendingCall {
    /// The task's id, as soon as there is one; `None` once it is clear that there will be none.
    pub async fn task_id(&self) -> Option<TaskId> {
        self.wait(|phase| phase.id.is_some() || phase.result.is_some())
            .await?
            .id
    }

    /// The task as last seen, if there is one by now.
    pub fn task(&self) -> Option<Task> {
        self.phase.borrow().task.clone()
    }

    /// The task's states from now on, the present one first; it ends with the call. Who reads slowly gets the latest
    /// state and not all of those in between.
    pub fn status_changes(&self) -> StatusChanges {
        StatusChanges {
            next: Box::pin(next_state(self.phase.clone(), None)),
        }
    }

    /// The call's result, as if it had been a plain call. May be asked for again.
    ///
    /// # Errors
    /// The server's error, cancellation, expiry, or what befell the connection.
    pub async fn result(&self) -> Result<CallResult, ClientError> {
        match self.wait(|phase| phase.result.is_some()).await {
            Some(Phase {
                result: Some(result),
                ..
            }) => result,
            _ => Err(ClientError::Closed {
                server: "the call".to_owned(),
                why: "a handler of its status panicked, or its runtime has ended".to_owned(),
            }),
        }
    }

    /// Cancels the call, and returns when the server knows. How the call ends, [`result`](Self::result) tells: a task
    /// may take its time, and may still complete.
    ///
    /// # Errors
    /// If the server cannot or will not cancel it.
    pub async fn cancel(&self) -> Result<(), ClientError> {
        self.cancel.cancel();
        match self
            .wait(|phase| phase.cancelled.is_some() || phase.result.is_some())
            .await
        {
            Some(Phase {
                cancelled: Some(told),
                ..
            }) => told,
            _ => Ok(()),
        }
    }

    /// What leads back to the task, as soon as there is one; `None` once it is clear that there will be none.
    pub async fn reference(&self) -> Option<Reference> {
        self.task_id().await.map(|id| self.reference_to(&id))
    }

    /// Leaves the task to itself, and returns what leads back to it. A call that is no task by now is cancelled.
    pub fn detach(self) -> Option<Reference> {
        let id = self.phase.borrow().id.clone()?;
        self.detached.store(true, Ordering::Relaxed);
        Some(self.reference_to(&id))
    }

    fn reference_to(&self, id: &TaskId) -> Reference {
        Reference {
            task_id: id.as_str().to_owned(),
            wire: self.wire,
            tool: self.tool.clone(),
        }
    }

    async fn wait(&self, until: impl FnMut(&Phase) -> bool) -> Option<Phase> {
        let mut phase = self.phase.clone();
        let phase = phase.wait_for(until).await.ok()?;
        Some(phase.clone())
    }
}

impl Drop for PendingCall {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

type NextState = BoxFuture<'static, (watch::Receiver<Phase>, Option<Task>)>;

/// A task's states, one after the other: a [`Stream`], with a [`next`](Self::next) of its own.
/// [`Client::begin_call_tool`](super::Client::begin_call_tool) reads them.
#[must_use = "a stream does nothing unless it is read"]
pub struct StatusChanges {
    next: NextState,
}

impl StatusChanges {
    /// The next state; `None` at the end of the call.
    pub async fn next(&mut self) -> Option<Task> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }
}

impl Stream for StatusChanges {
    type Item = Task;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Task>> {
        let (phase, task) = std::task::ready!(self.next.as_mut().poll(cx));
        self.next = Box::pin(next_state(phase, task.clone()));
        Poll::Ready(task)
    }
}

impl fmt::Debug for StatusChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StatusChanges").finish_non_exhaustive()
    }
}

/// The state that follows `last`; `None` if the call ends first.
async fn next_state(
    mut phase: watch::Receiver<Phase>,
    last: Option<Task>,
) -> (watch::Receiver<Phase>, Option<Task>) {
    let news = |phase: &Phase| phase.task.is_some() && phase.task != last;
    let next = match phase
        .wait_for(|phase| news(phase) || phase.result.is_some())
        .await
    {
        Ok(phase) if news(&phase) => phase.task.clone(),
        _ => None,
    };
    (phase, next)
}
