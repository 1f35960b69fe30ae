//! One run of a tool: a body, and the request or task it is attached to at the moment.
//!
//! [`Run`] is what connections, the task engine and the body's own context talk to. The [`driver`] alone
//! polls the body and changes what the run is attached to.

mod asking;
mod attach;
mod begin;
mod body;
mod driver;
mod ending;
mod outward;
mod port;
mod pulse;
mod questions;
mod task_mode;
mod task_table;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;

pub(crate) use self::asking::ASKING;
pub(super) use self::begin::begin;
pub(super) use self::ending::{error_frame, in_words, tell};
use self::pulse::{MessagePulse, ProgressPulse};
use self::questions::Questions;
pub(super) use self::task_table::{TASK_TABLE, TaskTable};
use super::core::{BuiltTool, Core};
use super::outlet::Outlet;
use super::peer::Peer;
use super::reply::Reply;
use crate::context::Stop;
use crate::model::cancel::CancelReason;
use crate::model::capability::Capabilities;
use crate::model::concurrency::lock;
use crate::model::error::{AskError, BeginError, RpcError};
use crate::model::level::LogLevel;
use crate::model::principal::Owner;
use crate::model::task::TaskId;
use crate::wire::Revision;
use crate::wire::envelope::ProgressToken;
use crate::wire::related::Related;

/// Which era's rules a request lives by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Era {
    /// 2026-07-28; `log` is the level this request asked for.
    Modern { log: Option<LogLevel> },
    /// An `initialize` session.
    Legacy(Revision),
}

impl Era {
    pub(super) fn revision(self) -> Revision {
        match self {
            Self::Modern { .. } => Revision::V2026_07_28,
            Self::Legacy(revision) => revision,
        }
    }
}

/// The way to the client of one request.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) peer: Arc<Peer>,
    pub(super) outlet: Arc<dyn Outlet>,
    pub(super) era: Era,
    pub(super) token: Option<ProgressToken>,
    /// The task it belongs to, of which any stream of the client may hear.
    pub(super) task: Option<TaskName>,
}

/// A task of a dialect whose messages say that they belong to it.
#[derive(Clone)]
pub(super) enum TaskName {
    Core(TaskId),
    Draft(TaskId),
}

impl Line {
    /// `peer` is the one to hear of the task from now on; the token was another session's.
    fn move_to(&mut self, peer: &Arc<Peer>, outlet: &Arc<dyn Outlet>) {
        if !Arc::ptr_eq(&self.peer, peer) {
            self.peer = Arc::clone(peer);
            self.token = None;
        }
        self.outlet = Arc::clone(outlet);
    }

    /// Where to say something: the request's own stream, always; of a task, the stream that waits for its
    /// result, and without one the stream that belongs to no request.
    fn way(&self) -> &Arc<dyn Outlet> {
        if self.task.is_some() && !self.outlet.is_open() {
            &self.peer.home
        } else {
            &self.outlet
        }
    }

    /// How its messages name the task that they belong to.
    pub(super) fn related(&self) -> Option<Related<'_>> {
        Some(match self.task.as_ref()? {
            TaskName::Core(id) => Related::Core(id),
            TaskName::Draft(id) => Related::Draft(id),
        })
    }
}

/// Whether and when a call becomes a task.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// Never: this client cannot follow one, or the tool is none.
    Inline,
    /// Before the body starts.
    Task(TaskKind),
    /// Once this has passed, or the body asks something.
    After(Duration),
    /// When the body says so.
    Manual,
}

/// The task to make of a call, and what its client wants of it.
#[derive(Clone, Debug)]
pub(super) enum TaskKind {
    Extension,
    /// To be kept for this long from its creation.
    Core(Option<Duration>),
    /// Under an id of the client's, beside the call's own response; to be kept for this long after its end.
    Draft(TaskId, Option<Duration>),
}

/// What a run is attached to.
enum Mode {
    /// Made, not yet attached.
    New,
    /// A request that waits for its response. In a box of its own: tasks, of which there are many, have none.
    Inline(Box<Inline>),
    /// Nothing: it asked, and waits until then for the client to come back with this handle.
    Parked { handle: String, until: Instant },
    /// A task. `line` is the session that a legacy task was made in; `reply` is the response that a task of the
    /// draft still owes.
    Task {
        id: TaskId,
        line: Option<Box<Line>>,
        reply: Option<Box<Reply>>,
    },
    /// Nothing any more: its request was answered or cancelled, or it has ended.
    Over,
}

/// A request, and what its call may become.
struct Inline {
    reply: Reply,
    line: Line,
    plan: Plan,
}

impl Mode {
    /// The way to the client, where there is one.
    fn line(&self) -> Option<&Line> {
        match self {
            Self::Inline(inline) => Some(&inline.line),
            Self::Task { line, .. } => line.as_deref(),
            Self::New | Self::Parked { .. } | Self::Over => None,
        }
    }

    /// What an inline call may become.
    fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Inline(inline) => Some(&inline.plan),
            _ => None,
        }
    }
}

/// One run of a tool.
pub(super) struct Run {
    pub(super) tool: Arc<BuiltTool>,
    pub(super) stop: Stop,
    core: Arc<Core>,
    pub(super) owner: Arc<Owner>,
    runtime: Handle,
    /// Tells the driver to look at everything again: `stop`, `record_changed`, `state` and the body.
    attention: Notify,
    /// The task's record has changed since it was read.
    record_changed: AtomicBool,
    over: Notify,
    state: Mutex<State>,
}

struct State {
    mode: Mode,
    era: Era,
    capabilities: Capabilities,
    /// As they came; a retry must repeat them.
    arguments: Option<Box<RawValue>>,
    questions: Questions,
    progress: ProgressPulse,
    message: MessagePulse,
    /// Bodies that wait for `begin_task`.
    begin: Vec<oneshot::Sender<Result<(), BeginError>>>,
    /// Writes down that a task of the draft was cancelled.
    cancelling: Option<JoinHandle<()>>,
    /// Nobody polls the body any more.
    ended: bool,
    /// It is in no table any more either.
    off_tables: bool,
}

impl Run {
    /// A run that has yet to be attached to its request. `answers` came with the call, before any question.
    pub(super) fn new(
        peer: &Peer,
        owner: Arc<Owner>,
        tool: Arc<BuiltTool>,
        capabilities: Capabilities,
        answers: Vec<(String, Box<RawValue>)>,
    ) -> Arc<Self> {
        let core = Arc::clone(&peer.core);
        Arc::new(Self {
            stop: Stop::default(),
            attention: Notify::new(),
            record_changed: AtomicBool::new(false),
            over: Notify::new(),
            state: Mutex::new(State {
                mode: Mode::New,
                era: Era::Modern { log: None },
                capabilities,
                arguments: None,
                questions: Questions::new(answers),
                progress: ProgressPulse::new(core.limits.progress_per_second),
                message: MessagePulse::default(),
                begin: Vec::new(),
                cancelling: None,
                ended: false,
                off_tables: false,
            }),
            owner,
            runtime: peer.runtime.clone(),
            tool,
            core,
        })
    }

    /// Tells the run to stop; the first reason stands.
    pub(super) fn stop(&self, reason: CancelReason) {
        self.stop.fire(reason);
        self.attention.notify_one();
    }

    /// Tells the driver to read the task's record.
    pub(super) fn record_has_changed(&self) {
        self.record_changed.store(true, Ordering::Release);
        self.attention.notify_one();
    }

    /// Whether the task's record has changed since this was last asked.
    fn record_changed(&self) -> bool {
        self.record_changed.swap(false, Ordering::AcqRel)
    }

    pub(super) fn is_task(&self) -> bool {
        matches!(lock(&self.state).mode, Mode::Task { .. })
    }

    /// Stops the run; when this returns, the body has said its last word.
    pub(super) fn silence(&self, reason: CancelReason) {
        self.stop(reason);
        // Whoever found the run unstopped speaks under this lock.
        drop(lock(&self.state));
    }

    /// Resolves once the run has ended and is in no table any more.
    pub(super) async fn ended(&self) {
        loop {
            let over = self.over.notified();
            tokio::pin!(over);
            over.as_mut().enable();
            if lock(&self.state).off_tables {
                return;
            }
            over.await;
        }
    }

    /// Off every table for good: nobody polls the body any more, and nobody answers what is asked in its name.
    fn end(&self) {
        let mode = {
            let mut state = lock(&self.state);
            state.ended = true;
            state.begin.clear();
            state.questions.end_all(&AskError::Gone);
            std::mem::replace(&mut state.mode, Mode::Over)
        };
        match mode {
            // Its runtime is gone, or the driver itself failed.
            Mode::Inline(inline) => inline.reply.error(&RpcError::internal(UNEXPECTED)),
            Mode::Parked { handle, .. } => {
                lock(&self.core.parked).remove(&handle);
            }
            Mode::Task { id, reply, .. } => {
                self.core.task_runs.remove(&id);
                if let Some(reply) = reply {
                    reply.error(&RpcError::internal(UNEXPECTED));
                }
            }
            Mode::New | Mode::Over => {}
        }
        // Not before: whoever waits for it may use the task's id again.
        lock(&self.state).off_tables = true;
        self.over.notify_waiters();
    }
}

/// What clients are told of a panic; its own words may name paths and secrets.
pub(super) const UNEXPECTED: &str = "the tool failed unexpectedly";
