//! What connections do to a run: attach requests, bring answers, cancel.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::super::call::Request;
use super::super::outlet::Outlet;
use super::super::peer::{Peer, closes};
use super::super::reply::Reply;
use super::asking::Response;
use super::questions::{Open, Sent};
use super::{Era, Inline, Line, Mode, Plan, Run, State, TaskName};
use crate::model::cancel::CancelReason;
use crate::model::capability::{Capabilities, Capability};
use crate::model::concurrency::{lock, spawn};
use crate::model::error::{AskError, RpcError};
use crate::model::input::{InputRequest, InputResponse};
use crate::model::task::TaskId;
use crate::task::{Event, SubmitError};
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
        let mut state = lock(&self.state);
        let may_park = matches!(line.era, Era::Modern { .. })
            && state.capabilities.without(Capability::Tasks) != Capabilities::NONE;
        if may_park {
            state.arguments = arguments.map(RawValue::to_owned);
        }
        state.era = line.era;
        state.mode = Mode::Inline(Box::new(Inline { reply, line, plan }));
    }

    /// Attaches the retry of a call that is parked under `handle`; one that is not any more gives the reply back.
    /// Answers that fit go to the body; the rest is asked again.
    pub(in crate::server) fn take_up(
        &self,
        handle: &str,
        reply: Reply,
        retry: Request<'_>,
    ) -> Result<(), Reply> {
        let mut state = lock(&self.state);
        let waits = matches!(&state.mode, Mode::Parked { handle: parked, .. } if parked == handle);
        if !waits || self.stop.reason().is_some() {
            drop(state);
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
        // 2026-07-28 mrtr: nothing is asked of a client whose request did not declare it.
        for (key, missing) in state.questions.beyond(retry.capabilities) {
            let unsupported = Err(AskError::Unsupported(missing));
            state.questions.arrive(&key, unsupported);
        }
        for open in &mut state.questions.open {
            open.sent = Sent::No;
        }
        state.mode = Mode::Inline(Box::new(Inline {
            reply,
            line: retry.line,
            // What began inline stays inline until its body says otherwise.
            plan: match retry.plan {
                Plan::Manual => Plan::Manual,
                _ => Plan::Inline,
            },
        }));
        drop(state);
        self.attention.notify_one();
        Ok(())
    }

    /// `notifications/cancelled` for the request: it gets no response, whatever happens now.
    pub(in crate::server) fn cancelled_by_client(&self, peer: &Peer, id: &RequestId) {
        drop(self.stop_request(peer, id, CancelReason::Requested));
    }

    /// The connection is gone, and with it whoever waits for the response.
    pub(in crate::server) fn disconnected(&self, peer: &Peer, id: &RequestId) {
        drop(self.stop_request(peer, id, CancelReason::Disconnected));
    }

    /// The connection closes before the call is done.
    pub(in crate::server) fn closed_by_server(&self, peer: &Peer, id: &RequestId) {
        if let Some(reply) = self.stop_request(peer, id, CancelReason::Shutdown) {
            reply.error(&closes());
        }
    }

    /// The same where the connection was closed before the call was attached to it.
    pub(in crate::server) fn closed_with(&self, peer: &Peer) {
        if let Some((reply, _)) = self.detached_if(|reply| reply.is_of(peer)) {
            self.stop(CancelReason::Shutdown);
            reply.error(&closes());
        }
    }

    /// Stops a run whose request ends before it, and gives back the right to answer that. A run that is a task
    /// by now and owes no response, or is parked and taken up by another request, goes on.
    fn stop_request(&self, peer: &Peer, id: &RequestId, reason: CancelReason) -> Option<Reply> {
        let mut state = lock(&self.state);
        let (reply, line) = state.detached_if(|reply| reply.answers(peer, id))?;
        if let Some(TaskName::Draft(id)) = line.task {
            // The body may take a while to wind down; the task is over now.
            let core = Arc::clone(&self.core);
            let cancelling = async move {
                let _ = core.tasks().submit(&id, Event::Cancel(reason)).await;
            };
            state.cancelling = Some(spawn(&self.runtime, Box::pin(cancelling)));
        }
        drop(state);
        self.stop(reason);
        Some(reply)
    }

    fn detached_if(&self, right: impl FnOnce(&Reply) -> bool) -> Option<(Reply, Line)> {
        lock(&self.state).detached_if(right)
    }

    pub(super) fn take_in_answer(self: &Arc<Self>, peer: &Peer, id: u64, response: Response<'_>) {
        let mut state = lock(&self.state);
        let Some(open) = state.questions.asked(peer, id) else {
            return;
        };
        let key = Arc::clone(&open.key);
        let answer = match response {
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
        open.sent = Sent::Answered;
        match (&state.mode, answer) {
            // By way of the record: it is the runner there that tells the body.
            (Mode::Task { id, .. }, Ok(response)) => {
                let record_answer = Arc::clone(self).record_answer(id.clone(), key, response);
                drop(state);
                spawn(&self.runtime, Box::pin(record_answer));
            }
            (mode, answer) => {
                if matches!(mode, Mode::Task { .. }) {
                    state.questions.withdrawn.push(Arc::clone(&key));
                }
                state.questions.arrive(&key, answer);
                drop(state);
                self.attention.notify_one();
            }
        }
    }

    async fn record_answer(
        self: Arc<Self>,
        id: TaskId,
        key: Arc<str>,
        response: Arc<InputResponse>,
    ) {
        let event = Event::Answer(vec![(Arc::clone(&key), Arc::clone(&response))]);
        // Rejected: the task has moved on; the first answer counts.
        if let Err(SubmitError::Store(error)) = self.core.tasks().submit(&id, event).await {
            tracing::error!(task = %id, %error, "the task store failed");
            // The client will not send it again.
            let mut state = lock(&self.state);
            state.questions.withdrawn.push(Arc::clone(&key));
            state.questions.arrive(&key, Ok(response));
            drop(state);
            self.attention.notify_one();
        }
    }

    /// The client that was asked is gone. Another connection of a task's owner may take the question up.
    pub(in crate::server) fn client_lost(&self, peer: &Peer, id: u64) {
        let mut state = lock(&self.state);
        let Some(open) = state.questions.asked(peer, id) else {
            return;
        };
        let key = Arc::clone(&open.key);
        open.sent = Sent::Lost;
        if let Mode::Task { id, .. } = &state.mode {
            let id = id.clone();
            drop(state);
            // Whoever waits for the result already can be asked in its place.
            self.core.engine().wake(&id);
            return;
        }
        state.questions.arrive(&key, Err(AskError::Gone));
        drop(state);
        self.attention.notify_one();
    }

    /// Nobody can answer any more, by whatever way the questions were put.
    pub(in crate::server) fn nobody_answers(&self) {
        let mut state = lock(&self.state);
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

    /// `outlet`, perhaps `newly`, waits for the task's result: what there is to say is said there from now on.
    /// Another session than the one that hears of the task takes that over only from one that is gone, or that
    /// cannot answer what this one can.
    pub(in crate::server) fn heard_on(
        self: &Arc<Self>,
        peer: &Arc<Peer>,
        outlet: &Arc<dyn Outlet>,
        newly: bool,
    ) {
        let mut state = lock(&self.state);
        let State {
            mode, questions, ..
        } = &mut *state;
        let Mode::Task {
            line: Some(line), ..
        } = mode
        else {
            return;
        };
        let able = peer.capabilities();
        let mut lost = questions.open.iter().filter(|open| open.is_lost());
        let takes_over = if Arc::ptr_eq(&line.peer, peer) {
            newly
        } else {
            lost.any(|open| able.has(open.request.requires()))
        };
        if takes_over || !line.way().is_open() {
            line.move_to(peer, outlet);
        }
        self.ask_again(&mut state, Open::is_lost);
    }

    /// `peer` has a stream of its own again; a `fresh` one replays nothing that was asked on the one before.
    #[cfg(feature = "http")]
    pub(in crate::server) fn reachable_again(self: &Arc<Self>, peer: &Arc<Peer>, fresh: bool) {
        let mut state = lock(&self.state);
        if let Mode::Task {
            line: Some(line), ..
        } = &mut state.mode
        {
            if !line.way().is_open() {
                line.move_to(peer, &peer.home);
            }
            let home = Arc::downgrade(&peer.home);
            self.ask_again(&mut state, |open| {
                open.is_lost() || fresh && open.was_asked_on(&home)
            });
            if !state.questions.open.is_empty() {
                peer.is_asked_by(self);
            }
        }
    }

    /// Puts a task's questions anew, under new ids.
    fn ask_again(self: &Arc<Self>, state: &mut State, which: impl Fn(&Open) -> bool) {
        let Mode::Task {
            line: Some(line), ..
        } = &state.mode
        else {
            return;
        };
        let able = line.peer.capabilities();
        for open in &mut state.questions.open {
            if which(open) && able.has(open.request.requires()) && open.take_back() {
                open.sent = self.ask_client(line, &open.request);
            }
        }
    }

    /// Sends a question as a request to the client of `line`.
    pub(super) fn ask_client(self: &Arc<Self>, line: &Line, request: &InputRequest) -> Sent {
        let Era::Legacy(revision) = line.era else {
            return Sent::Shown;
        };
        let Some(id) = line.peer.requests.expect(self) else {
            return Sent::Lost;
        };
        let related = line.related();
        if related.is_some() {
            line.peer.is_asked_by(self);
        }
        let frame = legacy::request(&RequestId::Number(id.into()), request, revision, related);
        let way = line.way();
        if !way.send(frame) {
            line.peer.requests.forget(id);
            return Sent::Lost;
        }
        Sent::Asked {
            peer: Arc::downgrade(&line.peer),
            outlet: Arc::downgrade(way),
            id,
        }
    }
}

impl State {
    /// Takes a run off its request, if that is the `right` one. A task of the draft stays a task.
    pub(super) fn detached_if(
        &mut self,
        right: impl FnOnce(&Reply) -> bool,
    ) -> Option<(Reply, Line)> {
        if let Mode::Task {
            line: Some(line),
            reply,
            ..
        } = &mut self.mode
        {
            let reply = reply.take_if(|reply| right(reply))?;
            return Some((*reply, Line::clone(line)));
        }
        match std::mem::replace(&mut self.mode, Mode::Over) {
            Mode::Inline(inline) if right(&inline.reply) => {
                let Inline { reply, line, .. } = *inline;
                Some((reply, line))
            }
            other => {
                self.mode = other;
                None
            }
        }
    }
}
