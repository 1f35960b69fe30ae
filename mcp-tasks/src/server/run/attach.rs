//! What connections do to a run: attach requests, bring answers, cancel.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::super::call::Request;
use super::super::core::POISON;
use super::super::peer::Peer;
use super::super::reply::Reply;
use super::questions::Sent;
use super::{Line, Mode, Plan, Run};
use crate::model::cancel::CancelReason;
use crate::model::capability::Capability;
use crate::model::error::{AskError, RpcError};
use crate::model::task::TaskId;
use crate::task::Event;
use crate::wire::envelope::RequestId;
use crate::wire::{input, legacy};

impl Run {
    /// Attaches the request that started this run. Its arguments are kept only where a retry may have to
    /// repeat them.
    pub(in crate::server) fn attach(
        &self,
        reply: Reply,
        line: Line,
        plan: Plan,
        arguments: Option<&RawValue>,
    ) {
        let mut state = self.state.lock().expect(POISON);
        let may_park = matches!(line.era, super::Era::Modern { .. })
            && state.capabilities.without(Capability::Tasks)
                != crate::model::capability::Capabilities::NONE;
        if may_park {
            state.arguments = arguments.map(RawValue::to_owned);
        }
        state.era = line.era;
        state.mode = Mode::Inline { reply, line, plan };
    }

    /// Attaches the retry of a parked call. Answers that fit go to the body; the rest is asked again. Gives
    /// the reply back if the run has been given up in the meantime.
    pub(in crate::server) fn take_up(&self, reply: Reply, retry: Request<'_>) -> Result<(), Reply> {
        let mut state = self.state.lock().expect(POISON);
        if !matches!(state.mode, Mode::Parked { .. }) || self.stop.reason().is_some() {
            return Err(reply);
        }
        state.capabilities = retry.capabilities;
        state.era = retry.line.era;
        for (key, raw) in &retry.answers {
            let fitting = state.questions.find(key).and_then(|open| {
                let response = input::read(&open.request, raw).ok()?;
                Some((Arc::clone(&open.key), Arc::new(response)))
            });
            if let Some((key, response)) = fitting {
                state.questions.arrive(&key, Ok(response));
            }
        }
        for open in &mut state.questions.open {
            open.sent = Sent::No;
        }
        state.mode = Mode::Inline {
            reply,
            line: retry.line,
            // What began inline stays inline until its body says otherwise.
            plan: match retry.plan {
                Plan::Manual => Plan::Manual,
                _ => Plan::Inline,
            },
        };
        drop(state);
        self.attention.notify_one();
        Ok(())
    }

    /// `notifications/cancelled` for the request: it gets no response, whatever happens now.
    pub(in crate::server) fn cancelled_by_client(&self, peer: &Peer, id: &RequestId) {
        self.detach(peer, id, |_| {}, CancelReason::Requested);
    }

    /// The connection closes before the call is done.
    pub(in crate::server) fn closed_by_server(&self, peer: &Peer, id: &RequestId) {
        let error = RpcError::internal("the connection closes before the call is done");
        let answer = |reply: Reply| reply.error(&error);
        self.detach(peer, id, answer, CancelReason::Shutdown);
    }

    /// Takes an inline run off this request and stops it. A run that is a task by now, or parked and taken up
    /// by another request, goes on.
    fn detach(
        &self,
        peer: &Peer,
        id: &RequestId,
        answer: impl FnOnce(Reply),
        reason: CancelReason,
    ) {
        let mut state = self.state.lock().expect(POISON);
        match &state.mode {
            Mode::Inline { reply, .. } if reply.answers(peer, id) => {}
            _ => return,
        }
        let mode = std::mem::replace(&mut state.mode, Mode::Over);
        self.stop(reason);
        drop(state);
        if let Mode::Inline { reply, .. } = mode {
            answer(reply);
        }
    }

    /// The client's response to a question that was a request to it.
    pub(in crate::server) fn client_answered(
        self: &Arc<Self>,
        key: &Arc<str>,
        outcome: Result<&RawValue, &RpcError>,
    ) {
        let mut state = self.state.lock().expect(POISON);
        let Some(open) = state.questions.find(key) else {
            return;
        };
        let answer = match outcome {
            Ok(raw) => input::read(&open.request, raw)
                .map(Arc::new)
                .map_err(AskError::Invalid),
            Err(error) if error.code == RpcError::METHOD_NOT_FOUND => {
                Err(AskError::Unsupported(open.request.requires()))
            }
            Err(error) => Err(AskError::Invalid(format!(
                "the client refused it: {}",
                error.message
            ))),
        };
        match (&state.mode, answer) {
            // By way of the record: it is the runner there that tells the body.
            (Mode::Task { id, .. }, Ok(response)) => {
                let (id, core) = (id.clone(), Arc::clone(&self.core));
                let event = Event::Answer(vec![(Arc::clone(key), response)]);
                drop(state);
                self.runtime.spawn(async move {
                    // Rejected: the task has moved on; the first answer counts.
                    let _ = core.engine.submit(&id, event).await;
                });
            }
            (mode, answer) => {
                if matches!(mode, Mode::Task { .. }) {
                    state.questions.withdrawn.push(Arc::clone(key));
                }
                state.questions.arrive(key, answer);
                drop(state);
                self.attention.notify_one();
            }
        }
    }

    /// The client that was asked is gone. Another connection of a task's owner may take the question up.
    pub(in crate::server) fn client_lost(&self, key: &Arc<str>) {
        let mut state = self.state.lock().expect(POISON);
        if let Mode::Task { id, .. } = &state.mode {
            let id = id.clone();
            if let Some(open) = state.questions.find_mut(key) {
                open.sent = Sent::Lost;
                // Whoever waits for the result already can be asked in its place.
                self.core.engine.wake(&id);
            }
            return;
        }
        state.questions.arrive(key, Err(AskError::Gone));
        drop(state);
        self.attention.notify_one();
    }

    /// Nobody can answer any more, by whatever way the questions were put.
    pub(in crate::server) fn nobody_answers(&self) {
        let mut state = self.state.lock().expect(POISON);
        let keys: Vec<_> = state
            .questions
            .open
            .iter()
            .map(|open| Arc::clone(&open.key))
            .collect();
        for key in keys {
            state.questions.arrive(&key, Err(AskError::Gone));
            if matches!(state.mode, Mode::Task { .. }) {
                state.questions.withdrawn.push(key);
            }
        }
        drop(state);
        self.attention.notify_one();
    }

    /// Puts questions whose client is gone to `peer`, under new ids.
    pub(in crate::server) fn ask_lost_questions_again(self: &Arc<Self>, peer: &Arc<Peer>) {
        let mut state = self.state.lock().expect(POISON);
        let state = &mut *state;
        let Mode::Task {
            id,
            line: Some(line),
        } = &mut state.mode
        else {
            return;
        };
        let mut asked = false;
        for open in &mut state.questions.open {
            if matches!(open.sent, Sent::Lost) {
                let moved = Line {
                    peer: Arc::clone(peer),
                    ..line.clone()
                };
                open.sent = self.ask_client(&moved, &open.key, &open.request, Some(id));
                asked |= matches!(open.sent, Sent::Asked { .. });
            }
        }
        if asked {
            // The session that answers is the one to hear of the task from now on.
            line.peer = Arc::clone(peer);
        }
    }

    /// Sends a question as a request to the client of `line`.
    pub(super) fn ask_client(
        self: &Arc<Self>,
        line: &Line,
        key: &Arc<str>,
        request: &crate::model::input::InputRequest,
        task: Option<&TaskId>,
    ) -> Sent {
        let super::Era::Legacy(revision) = line.era else {
            return Sent::Shown;
        };
        let Some(id) = line.peer.requests.expect(self, key) else {
            return Sent::Lost;
        };
        line.peer.send(legacy::request(
            &RequestId::Number(id.into()),
            request,
            revision,
            task,
        ));
        Sent::Asked {
            peer: Arc::downgrade(&line.peer),
            id,
        }
    }
}
