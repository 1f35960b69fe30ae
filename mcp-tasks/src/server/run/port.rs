//! What the body says through its context.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::asking::Asking;
use super::pulse::Progress;
use super::questions::Sent;
use super::{Era, Line, Mode, Plan, Run};
use crate::context::port::{Asked, AskingNeeds};
use crate::context::{Port, Shared, Stop};
use crate::model::BoxFuture;
use crate::model::capability::Capability;
use crate::model::concurrency::lock;
use crate::model::error::{AskError, BeginError};
use crate::model::input::InputRequest;
use crate::model::level::LogLevel;
use crate::model::principal::Owner;
use crate::model::task::TaskId;
use crate::wire::{Revision, input, legacy, notify};

impl Port for Run {
    fn tool(&self) -> &str {
        &self.tool.name
    }

    fn owner(&self) -> &Owner {
        &self.owner
    }

    fn runtime(&self) -> &Handle {
        &self.runtime
    }

    fn shared(&self) -> &Shared {
        &self.core.shared
    }

    fn stop(&self) -> &Stop {
        &self.stop
    }

    fn progress(&self, done: f64, total: Option<f64>, text: &str) {
        let mut state = lock(&self.state);
        if self.muted(&state.mode) {
            return;
        }
        if !state.progress.rises(done) {
            drop(state);
            return self.status(text);
        }
        let had_news = state.has_news();
        if let Mode::Task { .. } = state.mode {
            state.message.set_progress(done, total, text);
        }
        if state.mode.has_token()
            && let Some(progress) = state.progress.offer(done, total, text)
        {
            state.mode.send_progress(&progress);
        }
        if !had_news && state.has_news() {
            self.attention.notify_one();
        }
    }

    fn status(&self, text: &str) {
        let mut state = lock(&self.state);
        if self.muted(&state.mode) {
            return;
        }
        match &state.mode {
            Mode::Task { .. } => {
                let had_news = state.has_news();
                state.message.set(text);
                if !had_news {
                    self.attention.notify_one();
                }
            }
            Mode::Inline(inline) => inline.line.log(LogLevel::Info, &self.tool.name, text),
            Mode::New | Mode::Parked { .. } | Mode::Over => {}
        }
    }

    fn log(&self, level: LogLevel, text: &str) {
        let state = lock(&self.state);
        if self.muted(&state.mode) {
            return;
        }
        if let Some(line) = state.mode.line() {
            line.log(level, &self.tool.name, text);
        } else if let Mode::Task { id, .. } = &state.mode {
            // The extension has no way to send it ("Task Status Notifications").
            let id = id.clone();
            // A subscriber is somebody else's code.
            drop(state);
            tracing::info!(task = %id, tool = %self.tool.name, level = level.as_str(), "{text}");
        }
    }

    fn supports(&self, capability: Capability) -> bool {
        lock(&self.state).capabilities.has(capability)
    }

    fn task_id(&self) -> Option<TaskId> {
        match &lock(&self.state).mode {
            Mode::Task { id, .. } => Some(id.clone()),
            _ => None,
        }
    }

    fn ask(
        &self,
        key: &str,
        request: Arc<InputRequest>,
        needs: AskingNeeds,
    ) -> Result<Asked, AskError> {
        // A question brings what this crate's one server needs; nobody could answer by another's.
        let asking: &Asking = needs.downcast_ref().ok_or(AskError::Gone)?;
        (asking.ask)(self, key, request)
    }

    fn withdraw(&self, key: &str) {
        let mut state = lock(&self.state);
        let Some(open) = state.questions.remove(key) else {
            return;
        };
        open.take_back();
        if matches!(state.mode, Mode::Task { .. }) && !matches!(open.sent, Sent::No) {
            state.questions.withdrawn.push(open.key);
        }
        drop(state);
        self.attention.notify_one();
    }

    fn elicitation_complete(&self, id: &str) {
        let state = lock(&self.state);
        if let Some(line) = state.mode.line()
            && matches!(line.era, Era::Legacy(Revision::V2025_11_25))
        {
            line.way().send(legacy::elicitation_complete(id));
        }
    }

    fn begin_task(&self) -> BoxFuture<'static, Result<(), BeginError>> {
        let mut state = lock(&self.state);
        let may_begin = match state.mode {
            Mode::Inline(ref inline) => !matches!(inline.plan, Plan::Inline),
            Mode::Task { .. } => false,
            // Whether it may is known when the client has come back.
            Mode::Parked { .. } | Mode::New => true,
            Mode::Over => return Box::pin(async { Err(BeginError::Cancelled) }),
        };
        if !may_begin {
            return Box::pin(async { Ok(()) });
        }
        let (begun, wait) = oneshot::channel();
        state.begin.push(begun);
        drop(state);
        self.attention.notify_one();
        Box::pin(async { wait.await.unwrap_or(Err(BeginError::Cancelled)) })
    }
}

impl Run {
    pub(super) fn take_question(
        &self,
        key: &str,
        request: Arc<InputRequest>,
    ) -> Result<Asked, AskError> {
        let mut state = lock(&self.state);
        if self.stop.reason().is_some() {
            return Err(AskError::Cancelled);
        }
        if state.ended {
            return Err(AskError::Gone);
        }
        let needed = request.requires();
        if !state.capabilities.has(needed) {
            return Err(AskError::Unsupported(needed));
        }
        input::expressible(&request, state.era.revision()).map_err(AskError::Inexpressible)?;
        let (key, answer) = state.questions.ask(key, request);
        drop(state);
        self.attention.notify_one();
        Ok(Asked { key, answer })
    }

    /// Whether nothing may be said any more: of a cancelled request, and of a legacy task once it is
    /// cancelled, which is at once.
    fn muted(&self, mode: &Mode) -> bool {
        let extension_task = matches!(mode, Mode::Task { line: None, .. });
        self.stop.reason().is_some() && !extension_task
    }
}

impl super::State {
    /// Whether the driver has a deadline for something that waits to leave.
    fn has_news(&self) -> bool {
        self.progress.due().is_some() || self.message.is_waiting()
    }
}

impl Mode {
    fn has_token(&self) -> bool {
        self.line().is_some_and(|line| line.token.is_some())
    }

    pub(super) fn send_progress(&self, progress: &Progress) {
        if let Some(line) = self.line()
            && let Some(token) = &line.token
            && line.way().keeps_up()
        {
            let Progress { done, total, text } = progress;
            // 2025-03-26 and later have the message; an empty one says nothing.
            let text = (!text.is_empty()).then_some(text.as_str());
            line.way()
                .send(notify::progress(token, *done, *total, text, line.related()));
        }
    }
}

impl Line {
    /// Sends a log message if the client asked for its level.
    fn log(&self, level: LogLevel, logger: &Arc<str>, text: &str) {
        let wanted = match self.era {
            Era::Modern { log } => log,
            Era::Legacy(_) => lock(&self.peer.session).log_level,
        };
        let way = self.way();
        if wanted.is_some_and(|wanted| level >= wanted) && way.keeps_up() {
            way.send(notify::log(level, logger, text, self.related()));
        }
    }
}
