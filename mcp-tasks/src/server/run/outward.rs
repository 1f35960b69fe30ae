//! What leaves when the body waits: questions, progress, messages.

use std::sync::Arc;

use tokio::time::Instant;

use super::super::park::{self, Parked};
use super::driver::{Driver, passed};
use super::questions::Sent;
use super::task_mode::begin_failed;
use super::{Era, Inline, Mode, Plan, TaskKind};
use crate::model::BoxFuture;
use crate::model::cancel::CancelReason;
use crate::model::clock::{as_millis, from_now};
use crate::model::concurrency::lock;
use crate::model::error::AskError;
use crate::model::id;
use crate::model::input::InputRequest;
use crate::task::record::Event;
use crate::wire::modern;

/// What is to be done about an inline run, seen under the lock.
enum Step {
    Nothing,
    BecomeTask,
    Begin,
    Park,
    AskClient,
}

impl Driver {
    /// The body has returned `Pending`: whatever it has to say leaves now.
    pub(super) async fn flush(&mut self) {
        if !self.is_task {
            match self.inline_step() {
                Step::Nothing => {}
                Step::BecomeTask => {
                    self.become_task_or_stay().await;
                    self.start_task().await;
                }
                Step::Begin => self.begin().await,
                Step::Park => self.park(),
                Step::AskClient => self.ask_client(),
            }
        }
        if self.is_task && self.record_is_behind() {
            self.flush_task().await;
        }
        self.flush_progress();
    }

    /// Whether the task's record should hear of anything.
    fn record_is_behind(&self) -> bool {
        let state = lock(&self.run.state);
        state.questions.unsent()
            || !state.questions.withdrawn.is_empty()
            || passed(state.message.due(Instant::now()))
    }

    fn inline_step(&self) -> Step {
        let state = lock(&self.run.state);
        let Mode::Inline(inline) = &state.mode else {
            return Step::Nothing;
        };
        let asks = state.questions.unsent();
        match (inline.line.era, &inline.plan) {
            (Era::Legacy(_), _) if asks => Step::AskClient,
            (Era::Modern { .. }, Plan::After(_))
                if asks || self.after.is_some_and(|after| after <= Instant::now()) =>
            {
                Step::BecomeTask
            }
            _ if !state.begin.is_empty() => Step::Begin,
            // Not before the last answers have reached the body: it may have nothing more to ask then.
            (Era::Modern { .. }, _) if asks && !state.questions.has_arrived() => Step::Park,
            _ => Step::Nothing,
        }
    }

    /// Where there is no room for a task, the call goes on as what it is.
    pub(super) async fn become_task_or_stay(&mut self) {
        if self.become_task(TaskKind::Extension).await.is_ok() {
            return;
        }
        self.after = None;
        let mut state = lock(&self.run.state);
        if let Mode::Inline(inline) = &mut state.mode {
            inline.plan = Plan::Inline;
        }
        drop(state);
        self.run.attention.notify_one();
    }

    async fn begin(&mut self) {
        let manual = matches!(lock(&self.run.state).mode.plan(), Some(Plan::Manual));
        let begun = if manual {
            let made = self.become_task(TaskKind::Extension).await;
            self.start_task().await;
            made.map_err(|error| begin_failed(&error))
        } else {
            // This client cannot follow a task: the call goes on as it is.
            Ok(())
        };
        for waiting in lock(&self.run.state).begin.drain(..) {
            let _ = waiting.send(begun.clone());
        }
    }

    pub(super) fn park_call(&self) {
        let run = &self.run;
        let handle = id::random();
        let mut state = lock(&run.state);
        let Mode::Inline(inline) = std::mem::replace(&mut state.mode, Mode::Over) else {
            return;
        };
        let Inline { reply, line, plan } = *inline;
        let requests: Vec<(&str, &InputRequest)> = state
            .questions
            .open
            .iter()
            .map(|open| (&*open.key, &*open.request))
            .collect();
        let frame = modern::input_required(reply.id(), &requests, Some(&handle), run.core.info());
        let gates = &run.core.gates;
        let bytes = state.arguments.as_ref().map_or(0, |raw| raw.get().len());
        let room = gates.parked.enter(&run.owner, 1);
        let passes =
            match room.and_then(|pass| Ok([pass, gates.parked_bytes.enter(&run.owner, bytes)?])) {
                Ok(passes) => passes,
                Err(error) => {
                    drop((line, plan));
                    drop(state);
                    run.stop(CancelReason::Abandoned);
                    return reply.error(&error);
                }
            };
        let entry = Parked {
            run: Arc::clone(run),
            owner: Arc::clone(&run.owner),
            arguments: state.arguments.clone(),
            resume: park::resume,
            _passes: passes,
        };
        lock(&run.core.parked).insert(handle.clone(), entry);
        for open in &mut state.questions.open {
            open.sent = Sent::Shown;
        }
        let until = from_now(run.core.limits.park);
        state.mode = Mode::Parked { handle, until };
        reply.send(frame);
    }

    pub(super) fn put_to_client(&self) {
        let mut state = lock(&self.run.state);
        let state = &mut *state;
        let Some(line) = state.mode.line() else {
            return;
        };
        let task = match &state.mode {
            Mode::Task { id, .. } => Some(id),
            _ => None,
        };
        let mut unanswerable = Vec::new();
        for open in &mut state.questions.open {
            let put = match open.sent {
                // What a task asks since its record took the rest in is for the record first: it would take no answer.
                Sent::No => task.is_none(),
                // In the record by now, and yet to be put to the client.
                Sent::Shown => task.is_some(),
                Sent::Asked { .. } | Sent::Answered | Sent::Lost => false,
            };
            if put {
                open.sent = self.run.ask_client(line, &open.request);
                match (&open.sent, task) {
                    (Sent::Lost, None) => unanswerable.push(Arc::clone(&open.key)),
                    // Whoever waits for the result already can be asked.
                    (Sent::Lost, Some(id)) => self.run.core.engine().wake(id),
                    _ => {}
                }
            }
        }
        for key in &unanswerable {
            state.questions.arrive(key, Err(AskError::Gone));
        }
        if !unanswerable.is_empty() {
            self.run.attention.notify_one();
        }
    }

    /// In a box of its own, so that calls that are no tasks do not carry its size.
    pub(super) fn flush_record(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            // One after the other, so that a task that waits has room for one.
            if let Some(message) = self.next_message() {
                self.submit(Event::Message(message.into())).await;
            }
            if let Some(event) = self.next_withdrawal() {
                self.submit(event).await;
            }
            if let Some(event) = self.next_questions() {
                let asked = self.insist(event).await;
                if matches!(asked, Ok(Some(_))) {
                    self.ask_client();
                } else {
                    self.ask_failed();
                }
            }
        })
    }

    /// The message that is due, or that the next questions take along.
    fn next_message(&self) -> Option<String> {
        let mut state = lock(&self.run.state);
        let now = Instant::now();
        if state.questions.unsent() {
            state.message.take(now)
        } else {
            state.message.take_due(now)
        }
    }

    fn next_withdrawal(&self) -> Option<Event> {
        let mut state = lock(&self.run.state);
        let withdrawn = std::mem::take(&mut state.questions.withdrawn);
        (!withdrawn.is_empty()).then_some(Event::Withdraw(withdrawn))
    }

    fn next_questions(&self) -> Option<Event> {
        let mut state = lock(&self.run.state);
        let mut questions = Vec::new();
        for open in &mut state.questions.open {
            if matches!(open.sent, Sent::No) {
                open.sent = Sent::Shown;
                questions.push((Arc::clone(&open.key), Arc::clone(&open.request)));
            }
        }
        let wait = as_millis(self.run.core.limits.max_wait);
        (!questions.is_empty()).then_some(Event::Ask { questions, wait })
    }

    /// The record took no question: the task has ended, or the store failed. Nobody will answer.
    fn ask_failed(&self) {
        let mut state = lock(&self.run.state);
        state.questions.end_all(&AskError::Gone);
        drop(state);
        self.run.attention.notify_one();
    }

    fn flush_progress(&self) {
        let mut state = lock(&self.run.state);
        if matches!(state.mode, Mode::Parked { .. }) {
            return;
        }
        if let Some(progress) = state.progress.take_due(Instant::now()) {
            state.mode.send_progress(&progress);
        }
    }
}
