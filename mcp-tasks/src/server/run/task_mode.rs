//! A run as a task: made, moved and watched through the engine.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::super::tasks;
use super::driver::Driver;
use super::{Inline, Line, Mode, TaskKind, TaskName};
use crate::model::BoxFuture;
use crate::model::cancel::CancelReason;
use crate::model::concurrency::lock;
use crate::model::error::{BeginError, Busy, RpcError};
use crate::model::principal::Owner;
use crate::model::task::{TaskId, TaskStatus};
use crate::task::record::{Dialect, Event, InputState, Record};
use crate::task::{CreateError, LookupError, NewTask, SubmitError};
use crate::wire::{core_tasks, draft, extension};

/// How long to leave a store alone that failed, each time that something must be written.
const RECOVERY: [Duration; 5] = [
    Duration::from_millis(100),
    Duration::from_millis(200),
    Duration::from_millis(400),
    Duration::from_millis(800),
    Duration::from_millis(1600),
];

/// How long to leave a store alone that could not be read.
const REREAD: Duration = Duration::from_secs(1);

/// The store did not take an event.
pub(super) struct StoreFailed;

/// What a 2025-11-25 client was last told in `notifications/tasks/status`.
#[derive(Default)]
pub(super) struct Announced {
    status: Option<TaskStatus>,
    message: Option<Arc<str>>,
}

impl Driver {
    /// Makes the run a task and answers its request with it. The reply leaves before anything else that names
    /// the task.
    ///
    /// In a box of its own, so that calls that are no tasks do not carry its size.
    pub(super) fn create_task(&mut self, kind: TaskKind) -> BoxFuture<'_, Result<(), CreateError>> {
        Box::pin(async move {
            let run = Arc::clone(&self.run);
            let policy = &run.tool.policy;
            let (dialect, id, wish, keep) = match kind {
                TaskKind::Extension => (Dialect::Extension, None, None, None),
                TaskKind::Core(wish) => (Dialect::Core, None, wish, None),
                TaskKind::Draft(id, keep) => (Dialect::Draft, Some(id), None, keep),
            };
            let keep = keep.unwrap_or(policy.keep);
            // The body of an earlier task may outlive its record.
            if let Some(id) = id
                .as_ref()
                .filter(|id| run.core.task_runs.get(id).is_some())
            {
                return Err(CreateError::Taken(id.clone()));
            }
            // A body that winds down after its timeout is still there to be asked for.
            let keep = if run.tool.winds_down {
                keep.max(policy.cancel_grace)
            } else {
                keep
            };
            let record = run
                .core
                .engine()
                .create(NewTask {
                    id,
                    owner: Owner::clone(&run.owner),
                    dialect,
                    tool: Arc::clone(&run.tool.name),
                    poll_interval: policy.poll_interval,
                    keep,
                    wish,
                    run_budget: policy.run_budget,
                    message: None,
                })
                .await?;
            run.core
                .task_runs
                .insert(record.id.clone(), Arc::clone(&run));
            self.is_task = true;
            self.after = None;
            self.record("task", record.id.as_str());

            self.announced.status = Some(TaskStatus::Working);
            if !self.answer_with_task(&record, dialect) {
                self.submit(Event::Cancel(CancelReason::Disconnected)).await;
            }
            Ok(())
        })
    }

    /// `false` if the request was cancelled while the record was made: nobody knows the task.
    fn answer_with_task(&self, record: &Record, dialect: Dialect) -> bool {
        let mut state = lock(&self.run.state);
        // Nobody comes back with them any more.
        state.arguments = None;
        let id = record.id.clone();
        let mode = std::mem::replace(&mut state.mode, Mode::Over);
        let Mode::Inline(inline) = mode else {
            state.mode = Mode::Task {
                id,
                line: None,
                reply: None,
            };
            return false;
        };
        let Inline { reply, line, .. } = *inline;
        for begun in state.begin.drain(..) {
            let _ = begun.send(Ok(()));
        }
        // What is sent here is sent under the lock: nothing that names the task leaves before.
        let (frame, line) = match dialect {
            Dialect::Extension => {
                let info = self.run.core.info();
                let frame = extension::create(reply.id(), &record.snapshot(), info);
                (frame, None)
            }
            Dialect::Core => {
                let line = Line {
                    // The request is answered: what comes now is nobody's response.
                    outlet: Arc::clone(&line.peer.home),
                    task: Some(TaskName::Core(id.clone())),
                    ..line
                };
                let frame = core_tasks::create(reply.id(), &record.snapshot());
                (frame, Some(Box::new(line)))
            }
            Dialect::Draft => {
                let line = Line {
                    task: Some(TaskName::Draft(id.clone())),
                    ..line
                };
                line.outlet.send(draft::created(&id));
                state.mode = Mode::Task {
                    id,
                    line: Some(Box::new(line)),
                    reply: Some(Box::new(reply)),
                };
                return true;
            }
        };
        state.mode = Mode::Task {
            id,
            line,
            reply: None,
        };
        let run = Arc::clone(&self.run);
        reply.send_or(
            frame,
            Box::new(move || run.stop(CancelReason::Disconnected)),
        );
        true
    }

    pub(super) fn refuse_call(&self, error: &CreateError) {
        let mut state = lock(&self.run.state);
        let mode = std::mem::replace(&mut state.mode, Mode::Over);
        drop(state);
        if let Mode::Inline(inline) = mode {
            inline.reply.error(&create_failed(error));
        }
    }

    /// `false` if the store cannot take it: nobody could follow what the body does.
    pub(super) async fn start_task(&mut self) -> bool {
        !self.is_task || self.insist(Event::Start).await.is_ok()
    }

    pub(super) async fn say_queued(&mut self) {
        if self.is_task {
            self.submit(Event::Message(
                "queued: waiting for another run to end".into(),
            ))
            .await;
        }
    }

    pub(super) async fn delivered(&mut self, keys: Vec<Arc<str>>) {
        if self.is_task && !keys.is_empty() {
            self.submit(Event::Delivered(keys)).await;
        }
    }

    /// Submits an event of this run.
    ///
    /// In a box of its own, so that calls that are no tasks do not carry its size.
    pub(super) fn submit_event(&mut self, event: Event) -> BoxFuture<'_, Option<Arc<Record>>> {
        Box::pin(async move { self.try_submit(event).await.unwrap_or_default() })
    }

    /// Submits what the task is nothing without: a store that fails is given a few seconds to recover.
    ///
    /// In a box of its own, so that calls that are no tasks do not carry its size.
    pub(super) fn insist_on(
        &mut self,
        event: Event,
    ) -> BoxFuture<'_, Result<Option<Arc<Record>>, StoreFailed>> {
        Box::pin(async move {
            for pause in RECOVERY {
                match self.try_submit(event.clone()).await {
                    Ok(record) => return Ok(record),
                    Err(StoreFailed) => tokio::time::sleep(pause).await,
                }
            }
            self.try_submit(event).await
        })
    }

    /// `None` if the rules forbid it: whoever ended the task in the meantime has stopped the run.
    async fn try_submit(&mut self, event: Event) -> Result<Option<Arc<Record>>, StoreFailed> {
        let Some(id) = self.task_id() else {
            return Ok(None);
        };
        match self.run.core.engine().submit(&id, event).await {
            Ok(record) => {
                self.announce(&record);
                return Ok(Some(record));
            }
            Err(SubmitError::Rejected(_, record)) => self.follow(&record),
            Err(SubmitError::Gone) => {
                if !self.stop_if_gone(&id).await {
                    // Its time is up, and yet an answer may keep it: not now, then, and perhaps in a moment.
                    return Err(StoreFailed);
                }
            }
            Err(SubmitError::Store(error)) => {
                tracing::error!(task = %id, %error, "the task store failed");
                return Err(StoreFailed);
            }
        }
        Ok(None)
    }

    /// The record has changed: somebody answered, cancelled, or it is gone.
    ///
    /// In a box of its own, so that runs that wait do not carry its size.
    pub(super) fn read_task(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.reread = None;
            let Some(id) = self.task_id() else { return };
            match self.run.core.engine().get(&self.run.owner, &id).await {
                Ok(record) => self.follow(&record),
                Err(LookupError::Store(error)) => {
                    tracing::error!(task = %id, %error, "the task store failed");
                    self.reread = Some(Instant::now() + REREAD);
                }
                Err(LookupError::Unknown | LookupError::Expired) => {
                    self.stop_if_gone(&id).await;
                }
            }
        })
    }

    /// Ends a run whose task is out of the store. One that is only past its time may be kept there by an answer
    /// that was in time; if not, its removal is a change that wakes the driver again.
    async fn stop_if_gone(&mut self, id: &TaskId) -> bool {
        match self.run.core.engine().is_gone(id).await {
            Ok(false) => return false,
            Ok(true) => self.run.stop(CancelReason::Expired),
            Err(error) => {
                tracing::error!(task = %id, %error, "the task store failed");
                self.reread = Some(Instant::now() + REREAD);
            }
        }
        true
    }

    fn follow(&mut self, record: &Record) {
        self.announce(record);
        if record.status.is_terminal() || record.cancel.is_some() {
            self.run
                .stop(record.cancel.unwrap_or(CancelReason::Requested));
        }
        let mut state = lock(&self.run.state);
        for input in &record.inputs {
            if let InputState::Answered(response) = &input.state
                && state.questions.find(&input.key).is_some()
            {
                state.questions.arrive(&input.key, Ok(Arc::clone(response)));
            }
        }
    }

    /// `notifications/tasks/status`, where what a client sees has changed.
    fn announce(&mut self, record: &Record) {
        let told = &mut self.announced;
        let status = match record.status {
            TaskStatus::Created => TaskStatus::Working,
            status => status,
        };
        if told.status == Some(status) && told.message == record.message {
            return;
        }
        told.status = Some(status);
        told.message.clone_from(&record.message);
        let state = lock(&self.run.state);
        if let Some(line) = state.mode.line()
            && let Some(TaskName::Core(_)) = line.task
        {
            line.way().send(core_tasks::status(&record.snapshot()));
        }
    }

    pub(super) fn task_id(&self) -> Option<TaskId> {
        match &lock(&self.run.state).mode {
            Mode::Task { id, .. } => Some(id.clone()),
            _ => None,
        }
    }
}

fn create_failed(error: &CreateError) -> RpcError {
    match error {
        CreateError::TooMany { retry_after } => {
            let busy = Busy {
                retry_after: *retry_after,
                of_caller: false,
            };
            RpcError::busy("too many running tasks", busy)
        }
        CreateError::Taken(id) => draft::already_exists(id),
        CreateError::Store(error) => tasks::store_failed(error),
    }
}

pub(super) fn begin_failed(error: &CreateError) -> BeginError {
    match error {
        CreateError::TooMany { .. } => BeginError::TooMany,
        // Ids of the server's own making are not taken.
        CreateError::Taken(id) => BeginError::Store(draft::already_exists(id).message.into_owned()),
        CreateError::Store(error) => {
            BeginError::Store(tasks::store_failed(error).message.into_owned())
        }
    }
}
