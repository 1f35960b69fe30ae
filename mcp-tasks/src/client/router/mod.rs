//! Where every message of a server's arrives, and finds whoever waits for it; `waiting` is what they hold meanwhile.

mod waiting;

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;

pub(super) use self::waiting::{ProgressGuard, Waiting};
use super::asked::Asked;
use super::completions::CompletionDesk;
use super::handlers::{Asker, Handlers, Unanswered};
use super::news::{News, NewsDesk};
use super::transport::{Outgoing, Transport};
use crate::model::error::RpcError;
use crate::model::input::{InputRequest, InputResponse};
use crate::model::remote::{LogMessage, Progress};
use crate::model::task::TaskId;
use crate::wire::client::key;
use crate::wire::client::message::{self, Incoming};
use crate::wire::client::reply::{self, Reply};

/// Requests that nobody waits for any more and that may yet turn out to have made a task, at most.
const ABANDONED: usize = 64;

/// Takes what a progress notification says.
pub(super) type ProgressSink = Arc<Mutex<dyn FnMut(Progress) + Send>>;

/// Why a request has no result.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    Rpc(RpcError),
    /// The connection broke, with the request under way.
    Lost,
    Connect(Arc<io::Error>),
    Http {
        status: u16,
        text: String,
        retry_after: Option<Duration>,
    },
    /// The server has forgotten the session.
    SessionGone,
    /// There is no connection any more.
    Closed(String),
    /// The server broke the protocol.
    Broken(String),
}

/// What a dropped request leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Part of the handshake: it cannot be cancelled.
    Handshake,
    Plain,
    /// It may make a task, which is then cancelled.
    Task,
    /// It was sent to make a task of 2025-11-25, and a task is not cancelled by `notifications/cancelled`.
    CoreTask,
}

pub(super) struct Router {
    pub(super) handlers: Arc<Handlers>,
    pub(super) asked: Asked,
    pub(super) news: NewsDesk,
    pub(super) completions: CompletionDesk,
    /// Bytes of the longest message that is read.
    pub(super) message_bytes: usize,
    /// What to call the server before people.
    name: Mutex<String>,
    modern: AtomicBool,
    tools_changed: AtomicU64,
    state: Mutex<State>,
    transport: OnceLock<Weak<dyn Transport>>,
}

#[derive(Default)]
struct State {
    closed: Option<String>,
    waiting: HashMap<u64, oneshot::Sender<Result<Value, Failure>>>,
    abandoned: VecDeque<u64>,
    progress: HashMap<u64, ProgressSink>,
}

impl Router {
    pub(super) fn new(label: &str, handlers: Handlers, message_bytes: usize) -> Self {
        Self {
            handlers: Arc::new(handlers),
            asked: Asked::default(),
            news: NewsDesk::default(),
            completions: CompletionDesk::default(),
            message_bytes,
            name: Mutex::new(label.to_owned()),
            modern: AtomicBool::new(false),
            tools_changed: AtomicU64::new(0),
            state: Mutex::default(),
            transport: OnceLock::new(),
        }
    }

    /// Where answers to the server's own requests go.
    pub(super) fn attach(&self, transport: &Arc<dyn Transport>) {
        // There is one transport in a router's life.
        let _ = self.transport.set(Arc::downgrade(transport));
    }

    pub(super) fn introduce(&self, name: &str, modern: bool) {
        name.clone_into(&mut lock(&self.name));
        self.modern.store(modern, Ordering::Relaxed);
    }

    pub(super) fn server(&self) -> String {
        lock(&self.name).clone()
    }

    pub(super) fn is_modern(&self) -> bool {
        self.modern.load(Ordering::Relaxed)
    }

    /// Puts a question to its handler.
    pub(super) async fn answer(
        &self,
        asker: Asker,
        request: InputRequest,
    ) -> Result<InputResponse, Unanswered> {
        self.handlers
            .answer(asker, request, &self.completions)
            .await
    }

    /// Rises when the server says that its tools have changed.
    pub(super) fn tools_changed(&self) -> u64 {
        self.tools_changed.load(Ordering::Relaxed)
    }

    pub(super) fn send(&self, message: Outgoing) {
        if let Some(transport) = self.transport.get().and_then(Weak::upgrade) {
            transport.send(message);
        }
    }

    /// A place for the response to `id`, to be had before the request is sent. Once nothing comes any more there is
    /// none, and nothing to be sent: nobody could cancel it.
    pub(super) fn wait(self: &Arc<Self>, id: u64, kind: Kind) -> Result<Waiting, Failure> {
        let (sender, receiver) = oneshot::channel();
        let mut state = lock(&self.state);
        if let Some(why) = &state.closed {
            return Err(Failure::Closed(why.clone()));
        }
        state.waiting.insert(id, sender);
        Ok(Waiting {
            router: Arc::clone(self),
            id,
            kind,
            receiver: Some(receiver),
        })
    }

    pub(super) fn is_waiting(&self, id: u64) -> bool {
        let state = lock(&self.state);
        state.waiting.contains_key(&id) || state.abandoned.contains(&id)
    }

    /// Tells `sink` of the progress of `id`, until the guard is dropped.
    pub(super) fn follow_progress(self: &Arc<Self>, id: u64, sink: ProgressSink) -> ProgressGuard {
        lock(&self.state).progress.insert(id, sink);
        ProgressGuard {
            router: Arc::clone(self),
            id,
        }
    }

    pub(super) fn fail(&self, id: u64, failure: Failure) {
        let waiting = lock(&self.state).waiting.remove(&id);
        if let Some(waiting) = waiting {
            let _ = waiting.send(Err(failure));
        }
    }

    /// What a message that is longer than allowed is.
    pub(super) fn too_long(&self) -> String {
        format!(
            "it wrote a message of more than {} bytes",
            self.message_bytes
        )
    }

    /// Nothing comes any more.
    pub(super) fn closed(&self, why: &str) {
        let waiting = {
            let mut state = lock(&self.state);
            if state.closed.is_none() {
                state.closed = Some(why.to_owned());
            }
            state.abandoned.clear();
            std::mem::take(&mut state.waiting)
        };
        self.asked.withdraw_all();
        self.completions.close();
        for sender in waiting.into_values() {
            let _ = sender.send(Err(Failure::Closed(why.to_owned())));
        }
    }

    pub(super) fn receive(self: &Arc<Self>, bytes: &[u8]) {
        match message::read(bytes) {
            Ok(messages) => messages.into_iter().for_each(|message| self.take(message)),
            Err(why) => tracing::warn!("the server wrote something that is no message: {why}"),
        }
    }

    fn take(self: &Arc<Self>, message: Incoming) {
        match message {
            Incoming::Response {
                id: Some(id),
                outcome,
            } => self.answered(id, outcome),
            Incoming::Response { id: None, outcome } => {
                tracing::warn!("the server could not read a message: {outcome:?}");
            }
            Incoming::Notification { method, params } => self.notified(&method, params.into()),
            Incoming::Request { id, method, .. } if method == "ping" => {
                self.respond(&id, Ok(json!({})));
            }
            // "The server MUST NOT write JSON-RPC requests", and nothing may be written back (2026-07-28 stdio).
            Incoming::Request { method, .. } if self.is_modern() => {
                tracing::warn!(
                    "the server sent the request `{method}`, which its revision does not allow"
                );
            }
            Incoming::Request { id, method, params } => {
                self.asked.take(self, id, &method, params);
            }
        }
    }

    fn answered(&self, id: u64, outcome: Result<Value, RpcError>) {
        let mut state = lock(&self.state);
        if let Some(waiting) = state.waiting.remove(&id) {
            drop(state);
            if let Err(unseen) = waiting.send(outcome.map_err(Failure::Rpc)) {
                self.unseen(unseen);
            }
        } else if let Some(at) = state.abandoned.iter().position(|other| *other == id) {
            state.abandoned.remove(at);
            drop(state);
            if let Ok(result) = outcome {
                self.orphaned(result);
            }
        }
    }

    /// A response arrived where somebody had just stopped waiting for it.
    fn unseen(&self, response: Result<Value, Failure>) {
        if let Ok(result) = response {
            self.orphaned(result);
        }
    }

    /// A task was made of a call that nobody waits for: its creation and the cancellation have crossed.
    fn orphaned(&self, result: Value) {
        let reply = if self.is_modern() {
            reply::modern(result, "tools/call", true)
        } else {
            reply::legacy(result, true)
        };
        if let Ok(Reply::Task(task)) = reply {
            self.news.orphan(task.task.id);
        }
    }

    fn notified(&self, method: &str, mut params: Value) {
        match method {
            "notifications/progress" => self.progressed(&params),
            "notifications/tasks" => self.news.state(params),
            "notifications/tasks/status" => self.news.status(params),
            "notifications/tasks/created" => {
                let related = &params["_meta"][key::DRAFT_RELATED_TASK]["taskId"];
                if let Some(id) = related.as_str() {
                    self.news.tell(&TaskId::new(id), &News::Created);
                }
            }
            "notifications/subscriptions/acknowledged" => self.news.acknowledged(&params),
            "notifications/message" => {
                if let Some(take) = &self.handlers.log {
                    let message = LogMessage {
                        level: params["level"].as_str().unwrap_or("info").to_owned(),
                        logger: params["logger"].as_str().map(str::to_owned),
                        data: params["data"].take(),
                    };
                    shielded("log messages", || take(message));
                }
            }
            "notifications/tools/list_changed" => {
                self.tools_changed.fetch_add(1, Ordering::Relaxed);
            }
            "notifications/elicitation/complete" if self.handlers.url.is_some() => {
                if let Some(id) = params["elicitationId"].as_str() {
                    self.completions.complete(id);
                }
            }
            "notifications/cancelled" => self.asked.withdraw(&params["requestId"]),
            _ => tracing::debug!("the server sent `{method}`"),
        }
    }

    fn progressed(&self, params: &Value) {
        let Some(token) = params["progressToken"].as_u64() else {
            return;
        };
        let Some(done) = params["progress"].as_f64() else {
            return;
        };
        let sink = lock(&self.state).progress.get(&token).cloned();
        if let Some(sink) = sink {
            let mut take = sink.lock().unwrap_or_else(PoisonError::into_inner);
            let progress = Progress {
                done,
                total: params["total"].as_f64(),
                message: params["message"].as_str().map(str::to_owned),
            };
            shielded("progress", || take(progress));
        }
    }

    /// Answers a request of the server's.
    pub(super) fn respond(&self, id: &Value, outcome: Result<Value, RpcError>) {
        self.send(Outgoing {
            id: None,
            method: None,
            body: message::response(id, outcome),
            headers: Vec::new(),
        });
    }

    /// Nobody waits for `id` any more.
    fn abandon(&self, id: u64, kind: Kind) {
        {
            let mut state = lock(&self.state);
            if state.waiting.remove(&id).is_none() {
                return;
            }
            if matches!(kind, Kind::Task | Kind::CoreTask) {
                state.abandoned.push_back(id);
                if state.abandoned.len() > ABANDONED {
                    state.abandoned.pop_front();
                }
            }
        }
        let Some(transport) = self.transport.get().and_then(Weak::upgrade) else {
            return;
        };
        // Closing the stream is the cancellation there (2026-07-28 streamable HTTP); elsewhere it says nothing.
        let by_closing = self.is_modern() && transport.is_http();
        if !by_closing && matches!(kind, Kind::Plain | Kind::Task) {
            let params = json!({ "requestId": id, "reason": "the caller is gone" });
            transport.send(notification("notifications/cancelled", &params));
        }
        if kind != Kind::CoreTask {
            transport.forget(id);
        }
    }
}

/// A notification of the client's.
pub(super) fn notification(method: &str, params: &Value) -> Outgoing {
    let params = params.as_object().cloned().unwrap_or_default();
    Outgoing {
        id: None,
        method: Some(method.to_owned()),
        body: message::notification(method, &params),
        headers: Vec::new(),
    }
}

impl fmt::Debug for Router {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Router").finish_non_exhaustive()
    }
}

/// Runs a handler of the application's, whose panic must not end the task that reads for everybody.
fn shielded(of: &str, handler: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(handler)).is_err() {
        tracing::warn!("the handler of {of} panicked");
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
