//! What leaves when the body waits: questions, progress, messages.

use std::sync::Arc;

use tokio::time::Instant;

use super::super::core::POISON;
use super::super::park::Parked;
use super::driver::Driver;
use super::questions::Sent;
use super::task_mode::begin_failed;
use super::{Era, Mode, Plan, TaskKind};
use crate::model::cancel::CancelReason;
use crate::model::clock::{as_millis, from_now};
use crate::model::error::AskError;
use crate::model::id;
use crate::model::input::InputRequest;
use crate::task::record::Event;
use crate::wire::modern;

/// What is to be done about an inline run, seen under the lock.
enum Inline {
    Nothing,
    BecomeTask,
    Begin,
    Park,
    AskClient,
}

impl Driver {
    /// The body has returned `Pending`: whatever it has to say leaves now.
    pub(super) async fn flush(&mut self) {
        if self.watch.is_none() {
            match self.inline_step() {
                Inline::Nothing => {}
                Inline::BecomeTask => {
                    self.become_task_or_stay().await;
                    self.start_task().await;
                }
                Inline::Begin => self.begin().await,
                Inline::Park => self.park(),
                Inline::AskClient => self.ask_client(),
            }
        }
        if self.watch.is_some() {
            self.flush_task().await;
        }
        self.flush_progress();
    }

    fn inline_step(&self) -> Inline {
        let state = self.run.state.lock().expect(POISON);
        let Mode::Inline { line, plan, .. } = &state.mode else {
            return Inline::Nothing;
        };
        let asks = state.questions.unsent();
        match (line.era, plan) {
            (Era::Legacy(_), _) if asks => Inline::AskClient,
            (Era::Modern { .. }, Plan::After(_))
                if asks || self.after.is_some_and(|after| after <= Instant::now()) =>
            {
                Inline::BecomeTask
            }
            _ if !state.begin.is_empty() => Inline::Begin,
            // Not before the last answers have reached the body: it may have nothing more to ask then.
            (Era::Modern { .. }, _) if asks && !state.questions.has_arrived() => Inline::Park,
            _ => Inline::Nothing,
        }
    }

    /// Where there is no room for a task, the call goes on as what it is.
    pub(super) async fn become_task_or_stay(&mut self) {
        if self.become_task(TaskKind::Extension).await.is_ok() {
            return;
        }
        self.after = None;
        let mut state = self.run.state.lock().expect(POISON);
        if let Mode::Inline { plan, .. } = &mut state.mode {
            *plan = Plan::Inline;
        }
        drop(state);
        self.run.attention.notify_one();
    }

    async fn begin(&mut self) {
        let manual = matches!(
            self.run.state.lock().expect(POISON).mode,
            Mode::Inline {
                plan: Plan::Manual,
                ..
            }
        );
        let begun = if manual {
            let made = self.become_task(TaskKind::Extension).await;
            self.start_task().await;
            made.map_err(|error| begin_failed(&error))
        } else {
            // This client cannot follow a task: the call goes on as it is.
            Ok(())
        };
        for waiting in self.run.state.lock().expect(POISON).begin.drain(..) {
            let _ = waiting.send(begun.clone());
        }
    }

    /// All open questions leave together as an `input_required` result, and the request is answered.
    fn park(&self) {
        let run = &self.run;
        let handle = id::random();
        let mut state = run.state.lock().expect(POISON);
        let Mode::Inline { reply, line, plan } = std::mem::replace(&mut state.mode, Mode::Over)
        else {
            return;
        };
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
            owner: run.owner.clone(),
            arguments: state.arguments.clone(),
            _passes: passes,
        };
        run.core
            .parked
            .lock()
            .expect(POISON)
            .insert(handle.clone(), entry);
        for open in &mut state.questions.open {
            open.sent = Sent::Shown;
        }
        let until = from_now(run.core.limits.park);
        state.mode = Mode::Parked { handle, until };
        reply.send(frame);
    }

    /// Each question is a request of its own to a legacy client.
    fn ask_client(&self) {
        let mut state = self.run.state.lock().expect(POISON);
        let state = &mut *state;
        let (line, task) = match &state.mode {
            Mode::Inline { line, .. } => (line, None),
            Mode::Task {
                id,
                line: Some(line),
                ..
            } => (line, Some(id)),
            _ => return,
        };
        let mut unanswerable = Vec::new();
        for open in &mut state.questions.open {
            let put = match open.sent {
                Sent::No => true,
                // In the record by now, and yet to be put to the client.
                Sent::Shown => task.is_some(),
                Sent::Asked { .. } | Sent::Lost => false,
            };
            if put {
                open.sent = self.run.ask_client(line, &open.key, &open.request);
                match (&open.sent, task) {
                    (Sent::Lost, None) => unanswerable.push(Arc::clone(&open.key)),
                    // Whoever waits for the result already can be asked.
                    (Sent::Lost, Some(id)) => self.run.core.engine.wake(id),
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

    /// The record takes in what is due, and what a transition takes along.
    async fn flush_task(&mut self) {
        let now = Instant::now();
        let (message, withdrawn, questions) = {
            let mut state = self.run.state.lock().expect(POISON);
            let mut questions = Vec::new();
            for open in &mut state.questions.open {
                if matches!(open.sent, Sent::No) {
                    open.sent = Sent::Shown;
                    questions.push((Arc::clone(&open.key), Arc::clone(&open.request)));
                }
            }
            let message = if questions.is_empty() {
                state.message.take_due(now)
            } else {
                state.message.take(now)
            };
            (
                message,
                std::mem::take(&mut state.questions.withdrawn),
                questions,
            )
        };
        if let Some(message) = message {
            self.submit(Event::Message(message.into())).await;
        }
        if !withdrawn.is_empty() {
            self.submit(Event::Withdraw(withdrawn)).await;
        }
        if !questions.is_empty() {
            let wait = as_millis(self.run.core.limits.max_wait);
            let asked = self.insist(Event::Ask { questions, wait }).await;
            if matches!(asked, Ok(Some(_))) {
                self.ask_client();
            } else {
                self.ask_failed();
            }
        }
    }

    /// The record took no question: the task has ended, or the store failed. Nobody will answer.
    fn ask_failed(&self) {
        let mut state = self.run.state.lock().expect(POISON);
        state.questions.end_all(&AskError::Gone);
        drop(state);
        self.run.attention.notify_one();
    }

    fn flush_progress(&self) {
        let mut state = self.run.state.lock().expect(POISON);
        if matches!(state.mode, Mode::Parked { .. }) {
            return;
        }
        if let Some(progress) = state.progress.take_due(Instant::now()) {
            state.mode.send_progress(&progress);
        }
    }
}
