//! What drives a call from its beginning to its end, in a task of its own.
//!
//! `start` is what a call begins with, `rounds` asks until a result or a task comes of it, `extension` and `core_tasks` follow a task, each in its
//! dialect; `pace` says when to look again, `questions` has the user answer, `pages` has the user visit what a refusal
//! requires, `under_way` keeps what was asked meanwhile.

mod core_tasks;
mod draft;
mod extension;
mod pace;
pub(super) mod pages;
mod questions;
mod rounds;
mod start;
mod under_way;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use self::pages::Pages;
use self::start::Start;
use super::call::{BeginCall, OnStatus, PendingCall, Source};
use super::core::{Ask, Core, set_meta};
use super::dialect::Wire;
use super::error::ClientError;
use super::handlers::Asker;
use super::router::ProgressGuard;
use super::running::Entered;
use crate::model::error::RpcError;
use crate::model::remote::{CallResult, Task};
use crate::model::task::TaskId;
use crate::wire::client::reply::Reply;
use crate::wire::client::task::{self, Snapshot};

/// How far a call is, as whoever waits for it sees it.
#[derive(Clone, Debug, Default)]
pub(super) struct Phase {
    /// Of the task, as soon as it is known to exist.
    pub(super) id: Option<TaskId>,
    pub(super) task: Option<Task>,
    pub(super) result: Option<Result<CallResult, ClientError>>,
    /// What came of the wish to cancel it.
    pub(super) cancelled: Option<Result<(), ClientError>>,
}

/// Begins a call: what has to be known of its tool is found out, and its driver started.
pub(super) async fn begin(call: BeginCall) -> Result<PendingCall, ClientError> {
    begin_with(call, false).await
}

/// The same, of a task that is not cancelled when the call is dropped.
pub(super) async fn begin_detached(call: BeginCall) -> Result<PendingCall, ClientError> {
    begin_with(call, true).await
}

async fn begin_with(call: BeginCall, detached: bool) -> Result<PendingCall, ClientError> {
    let session = call.core.session()?;
    let detached = Arc::new(AtomicBool::new(detached));
    let start = match call.source {
        Source::Call { name, arguments } => {
            Start::of_call(&call.core, &session, name, arguments, call.keep).await?
        }
        Source::Resume(reference) => {
            Start::of_resumption(&call.core, &session, reference, &detached)?
        }
    };
    let (phase, watched) = watch::channel(Phase {
        id: start.task_id(),
        ..Phase::default()
    });
    let cancel = CancellationToken::new();
    let progress = call.progress.map(|sink| {
        let token = call.core.fresh_id();
        (token, call.core.router.follow_progress(token, sink))
    });
    let driver = Driver {
        what: start.what(),
        tool: start.tool().map(str::to_owned),
        _running: call.core.running.enter(),
        core: call.core,
        phase,
        cancel: cancel.clone(),
        detached: Arc::clone(&detached),
        on_status: call.on_status.map(Mutex::new),
        progress,
    };
    let tool = driver.tool.clone();
    Ok(PendingCall {
        phase: watched,
        cancel,
        detached,
        driver: tokio::spawn(driver.run(start)).abort_handle(),
        tool,
        wire: session.wire,
    })
}

struct Driver {
    core: Arc<Core>,
    /// What the call is called before people.
    what: String,
    tool: Option<String>,
    phase: watch::Sender<Phase>,
    cancel: CancellationToken,
    detached: Arc<AtomicBool>,
    /// In a mutex that is never locked: what it holds may be moved to another thread, but not shared.
    on_status: Option<Mutex<OnStatus>>,
    /// The call's token, good for as long as this lives.
    progress: Option<(u64, ProgressGuard)>,
    _running: Entered,
}

impl Driver {
    async fn run(mut self, start: Start) {
        let result = self.drive(start).await;
        self.phase.send_modify(|phase| phase.result = Some(result));
    }

    async fn drive(&mut self, start: Start) -> Result<CallResult, ClientError> {
        match start {
            Start::Call { mut ask, .. } => {
                self.want_progress(&mut ask);
                let mut pages = Pages::default();
                loop {
                    match self.call(ask.clone()).await {
                        Err(error) => self.visit(error, &mut pages).await?,
                        done => return done,
                    }
                }
            }
            Start::Draft { mut ask, id, .. } => {
                self.want_progress(&mut ask);
                self.race_draft(ask, &id).await
            }
            Start::Resume { reference, guard } => {
                let id = TaskId::new(reference.task_id);
                self.core.router.news.forget(&id);
                let first = self.core.get_task(&id).await;
                // From here on whoever follows it has a guard.
                if let Some(mut guard) = guard {
                    guard.disarm();
                }
                self.follow(first.map_err(|error| self.gone(error))?).await
            }
        }
    }

    /// The call, once.
    async fn call(&mut self, ask: Ask) -> Result<CallResult, ClientError> {
        match self.until_begun(ask).await? {
            Reply::Complete(result) => Ok(CallResult::new(result)),
            Reply::Task(task) => self.follow(*task).await,
            Reply::InputRequired { .. } => unreachable!("`until_begun` answers all questions"),
        }
    }

    /// Has the user visit what the error requires, whether the call or its task ended with it.
    async fn visit(&mut self, error: ClientError, pages: &mut Pages) -> Result<(), ClientError> {
        if self.cancel.is_cancelled() {
            return Err(error);
        }
        let cancel = self.cancel.clone();
        let asker = self.asker(None);
        tokio::select! {
            visited = self.core.visit(error, pages, &asker) => visited,
            () = cancel.cancelled() => Err(self.cancelled()),
        }
    }

    fn want_progress(&self, ask: &mut Ask) {
        if let Some((token, _)) = &self.progress {
            set_meta(&mut ask.params, "progressToken", (*token).into());
        }
    }

    async fn follow(&mut self, first: Snapshot) -> Result<CallResult, ClientError> {
        match self.core.session()?.wire {
            Wire::V2026_07_28 => self.follow_extension(first).await,
            Wire::Draft => self.follow_draft(first).await,
            _ => self.follow_core(first).await,
        }
    }

    fn asker(&self, task: Option<&TaskId>) -> Asker {
        Asker {
            server: self.core.router.server(),
            tool: self.tool.clone(),
            task: task.cloned(),
        }
    }

    /// Shows a state to whoever watches, if it is not the one shown last.
    async fn see(&mut self, task: &Task) {
        let changed = self.phase.send_if_modified(|phase| {
            let changed = phase.task.as_ref() != Some(task);
            phase.id = Some(task.id.clone());
            phase.task = Some(task.clone());
            changed
        });
        if changed && let Some(take) = &mut self.on_status {
            let take = take.get_mut().unwrap_or_else(PoisonError::into_inner);
            take(task.clone()).await;
        }
    }

    /// What came of the wish to cancel.
    fn acknowledge(&self, told: Result<(), ClientError>) {
        self.phase.send_modify(|phase| phase.cancelled = Some(told));
    }

    /// Cancels the task where this is dropped before it is told otherwise.
    fn guard(&self, id: &TaskId) -> Guard {
        Guard::new(&self.core, id, &self.detached)
    }

    fn cancelled(&self) -> ClientError {
        ClientError::Cancelled {
            what: self.what.clone(),
        }
    }

    fn expired(&self) -> ClientError {
        ClientError::Expired {
            what: self.what.clone(),
        }
    }

    /// An error about a task that was there: an unknown id means that it no longer is.
    fn gone(&self, error: ClientError) -> ClientError {
        match error.rpc() {
            Some(rpc) if rpc.code == RpcError::INVALID_PARAMS => self.expired(),
            _ => error,
        }
    }

    /// The error with which a task ended, as the call's own.
    fn failed(&self, error: RpcError) -> ClientError {
        ClientError::Refused {
            what: self.what.clone(),
            error,
        }
    }
}

impl Core {
    /// `tasks/get`.
    pub(super) async fn get_task(&self, id: &TaskId) -> Result<Snapshot, ClientError> {
        let ask = Ask::about("tasks/get", id);
        let result = self.ask_plainly(&ask).await?;
        let snapshot = task::read(result).map_err(|why| self.broken(why))?;
        if snapshot.task.id != *id {
            let other = &snapshot.task.id;
            return Err(self.broken(format!("asked for the task {id}, it showed {other}")));
        }
        Ok(snapshot)
    }

    /// The same, to be waited for apart.
    fn look(
        self: &Arc<Self>,
        id: &TaskId,
    ) -> impl Future<Output = Result<Snapshot, ClientError>> + Send + use<> {
        let (core, id) = (Arc::clone(self), id.clone());
        async move { core.get_task(&id).await }
    }

    /// [`ask_plainly`](Self::ask_plainly), to be waited for apart.
    fn ask_apart(
        self: &Arc<Self>,
        ask: Ask,
    ) -> impl Future<Output = Result<Map<String, Value>, ClientError>> + Send + use<> {
        let core = Arc::clone(self);
        async move { core.ask_plainly(&ask).await }
    }
}

struct Guard {
    core: Arc<Core>,
    id: TaskId,
    detached: Arc<AtomicBool>,
    armed: bool,
}

impl Guard {
    fn new(core: &Arc<Core>, id: &TaskId, detached: &Arc<AtomicBool>) -> Self {
        Self {
            core: Arc::clone(core),
            id: id.clone(),
            detached: Arc::clone(detached),
            armed: true,
        }
    }

    fn disarm(&mut self) {
        self.armed = false;
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if self.armed && !self.detached.load(Ordering::Relaxed) {
            self.core.tell_cancel(&self.id);
        }
    }
}
