//! One connection: what the client may be answered, and what it was asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Notify;

use super::core::{Core, POISON};
use super::last_meta::LastMeta;
use super::outbox::Outbox;
use super::reply::{Batch, Reply};
use super::requests::Requests;
use super::run::Run;
use super::{legacy, modern};
use crate::context::Stop;
use crate::model::cancel::CancelReason;
use crate::model::capability::Capabilities;
use crate::model::error::RpcError;
use crate::model::level::LogLevel;
use crate::model::principal::Owner;
use crate::wire::envelope::{self, Incoming, Notification, Request, RequestId, Response};
use crate::wire::legacy::Hello;
use crate::wire::meta::Meta;
use crate::wire::{Frame, Revision};

/// What a request in flight is busy with, so that it can be cancelled.
#[derive(Clone)]
pub(super) enum Activity {
    /// A tool call.
    Call(Arc<Run>),
    /// A wait for a task; ends by its `Stop`.
    Wait(Arc<Stop>),
    /// A look at the store; ends by its `Stop`. However many there are, there is room for one more.
    Lookup(Arc<Stop>),
    /// A subscription; it never holds up the end of a connection.
    Listen(Arc<Stop>),
}

/// Requests that wait for their responses.
#[derive(Default)]
struct InFlight {
    activities: HashMap<RequestId, Activity>,
    /// Those that count against the limit.
    counted: usize,
    /// No more input is taken in.
    closed: bool,
}

impl Activity {
    fn counts(&self) -> bool {
        !matches!(self, Self::Lookup(_))
    }

    /// Ends it; a call gets the error of a connection that closes.
    fn close(&self, peer: &Peer, id: &RequestId) {
        match self {
            Self::Call(run) => run.closed_by_server(peer, id),
            Self::Wait(stop) | Self::Lookup(stop) | Self::Listen(stop) => {
                stop.fire(CancelReason::Shutdown);
            }
        }
    }
}

/// What a legacy client said of itself.
#[derive(Default)]
pub(super) struct Session {
    pub(super) hello: Option<Hello>,
    pub(super) log_level: Option<LogLevel>,
}

/// One connection of one owner.
pub(crate) struct Peer {
    pub(super) core: Arc<Core>,
    pub(super) owner: Owner,
    pub(super) runtime: Handle,
    pub(super) session: Mutex<Session>,
    /// Requests to the client that wait for its response.
    pub(super) requests: Requests,
    outbox: Arc<Outbox>,
    last_meta: LastMeta,
    in_flight: Mutex<InFlight>,
    idle: Notify,
}

impl Peer {
    pub(crate) fn new(core: Arc<Core>, owner: Owner, outbox: Arc<Outbox>) -> Arc<Self> {
        core.engine.start();
        let peer = Arc::new(Self {
            core,
            owner,
            runtime: Handle::current(),
            session: Mutex::default(),
            requests: Requests::default(),
            outbox,
            last_meta: LastMeta::default(),
            in_flight: Mutex::default(),
            idle: Notify::new(),
        });
        #[cfg(feature = "testing")]
        peer.core.connected(&peer);
        peer
    }

    /// Takes in one line. Returns at once; whatever takes time runs on the runtime.
    pub(crate) fn receive(self: &Arc<Self>, line: &[u8]) {
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        self.message(line, None);
    }

    /// A line was longer than the server takes; whatever it was cannot be answered under its id.
    pub(crate) fn line_too_long(&self) {
        let limit = self.core.limits.line_bytes;
        let error = RpcError::new(
            RpcError::INVALID_REQUEST,
            format!("the message is longer than {limit} bytes"),
        );
        self.send(crate::wire::modern::error(None, &error));
    }

    fn message(self: &Arc<Self>, bytes: &[u8], batch: Option<&Arc<Batch>>) {
        match envelope::parse(bytes) {
            Ok(Incoming::Request(request)) => self.request(request, batch),
            Ok(Incoming::Notification(notification)) => self.notification(&notification),
            Ok(Incoming::Response(response)) => self.response(&response),
            Ok(Incoming::Batch(members)) => self.batch(&members, batch.is_some()),
            Err(fault) => match fault.id {
                Some(id) => self.reply(id, batch).error(&fault.error),
                None => self.send(crate::wire::modern::error(None, &fault.error)),
            },
        }
    }

    /// 2025-03-26 alone has batches; before `initialize` nobody has.
    fn batch(self: &Arc<Self>, members: &[&serde_json::value::RawValue], nested: bool) {
        let revision = self
            .session
            .lock()
            .expect(POISON)
            .hello
            .as_ref()
            .map(|hello| hello.revision);
        if nested || revision != Some(Revision::V2025_03_26) {
            let error = RpcError::new(
                RpcError::INVALID_REQUEST,
                "batches are part of protocol revision 2025-03-26 alone: send one message a line",
            );
            return self.send(crate::wire::modern::error(None, &error));
        }
        let batch = Batch::new();
        for member in members {
            self.message(member.get().as_bytes(), Some(&batch));
        }
        batch.finished(None, self);
    }

    fn reply(self: &Arc<Self>, id: RequestId, batch: Option<&Arc<Batch>>) -> Reply {
        if let Some(batch) = batch {
            batch.expect_one();
        }
        Reply::new(self, id, batch.cloned())
    }

    fn request(self: &Arc<Self>, request: Request<'_>, batch: Option<&Arc<Batch>>) {
        if self
            .in_flight
            .lock()
            .expect(POISON)
            .activities
            .contains_key(&request.id)
        {
            // Under that id the client waits for another answer.
            let error = RpcError::new(
                RpcError::INVALID_REQUEST,
                "a request with this id is still being worked on",
            );
            return self.send(crate::wire::modern::error(None, &error));
        }
        let reply = self.reply(request.id, batch);
        let method = request.method.as_ref();
        let params = &request.params;
        if let Some(meta) = self.last_meta.get(params.meta) {
            return modern::request(reply, method, params, meta);
        }
        match Meta::read(params.meta) {
            Err(error) => reply.error(&error),
            Ok(meta) if meta.is_modern() || modern::is_modern_method(method) => {
                match meta.modern() {
                    Ok(meta) => {
                        self.last_meta.set(params.meta, &meta);
                        modern::request(reply, method, params, meta);
                    }
                    Err(error) => reply.error(&error),
                }
            }
            Ok(meta) => legacy::request(reply, method, params, meta, batch.is_some()),
        }
    }

    fn notification(&self, notification: &Notification<'_>) {
        // A notification has no era: a cancellation acts on the request in flight, whatever its era.
        if notification.method == "notifications/cancelled"
            && let Some(id) = notification.params.cancelled_id()
        {
            self.cancel(&id);
        }
    }

    fn cancel(&self, id: &RequestId) {
        let activity = self
            .in_flight
            .lock()
            .expect(POISON)
            .activities
            .get(id)
            .cloned();
        match activity {
            Some(Activity::Call(run)) => run.cancelled_by_client(self, id),
            Some(Activity::Wait(stop) | Activity::Lookup(stop) | Activity::Listen(stop)) => {
                stop.fire(CancelReason::Requested);
            }
            // Finished or never seen: ignored.
            None => {}
        }
    }

    fn response(&self, response: &Response<'_>) {
        // An error without an id is about nothing in particular.
        if let Some(id) = &response.id
            && let Some(expected) = self.requests.take(id)
        {
            expected
                .run
                .client_answered(&expected.key, response.outcome.as_ref().copied());
        }
    }

    pub(super) fn send(&self, frame: Frame) {
        self.outbox.send(frame);
    }

    /// Whether the client reads what it gets. What it can do without is not sent to one that does not, so that
    /// a talkative tool does not fill the memory.
    pub(super) fn keeps_up(&self) -> bool {
        !self.outbox.is_full()
    }

    /// Puts a request on the table of those in flight; `Err` hands the reply back with what to say.
    pub(super) fn list(
        &self,
        mut reply: Reply,
        activity: Activity,
    ) -> Result<Reply, (Reply, RpcError)> {
        let mut in_flight = self.in_flight.lock().expect(POISON);
        let refusal = if in_flight.closed {
            Some(closes())
        } else if activity.counts() && in_flight.counted >= self.core.limits.in_flight {
            Some(too_many())
        } else {
            None
        };
        if let Some(refusal) = refusal {
            drop(in_flight);
            return Err((reply, refusal));
        }
        in_flight.counted += usize::from(activity.counts());
        in_flight.activities.insert(reply.id().clone(), activity);
        reply.listed = true;
        Ok(reply)
    }

    /// Takes a request off the table, with `last_act` as the last thing done for it: whoever finds the table
    /// without it finds that done.
    pub(super) fn unlist(&self, id: &RequestId, last_act: impl FnOnce()) {
        let mut in_flight = self.in_flight.lock().expect(POISON);
        let activity = in_flight.activities.remove(id);
        let counts = activity.as_ref().is_some_and(Activity::counts);
        in_flight.counted -= usize::from(counts);
        last_act();
        if in_flight.activities.is_empty() {
            self.idle.notify_waiters();
        }
    }

    /// Requests that wait for their response.
    #[cfg(feature = "testing")]
    pub(super) fn unanswered(&self) -> usize {
        self.in_flight.lock().expect(POISON).activities.len()
    }

    /// A call that was listed before the connection closed, and is attached after.
    pub(super) fn end_if_closed(&self, run: &Run) {
        if self.in_flight.lock().expect(POISON).closed {
            run.closed_with(self);
        }
    }

    /// The input has ended: questions that nobody can answer any more end, accepted requests get `drain` to
    /// finish, the rest is cancelled, answered, and given its grace to wind down.
    pub(crate) async fn finish(&self, drain: Duration) {
        self.close();
        let _ = tokio::time::timeout(drain, self.until_idle()).await;
        let rest = self.activities();
        for (id, activity) in &rest {
            activity.close(self, id);
        }
        // Each of these answers as soon as it is scheduled; nothing else keeps it.
        self.until_idle().await;
        let runs: Vec<_> = rest
            .into_iter()
            .filter_map(|(_, activity)| match activity {
                Activity::Call(run) => Some(run),
                _ => None,
            })
            .collect();
        self.core.wound_down(&runs).await;
    }

    /// Nobody is there any more to read a response: what is in flight stops.
    pub(crate) fn abandon(&self) {
        self.close();
        for (id, activity) in self.activities() {
            match activity {
                Activity::Call(run) => run.disconnected(self, &id),
                Activity::Wait(stop) | Activity::Lookup(stop) | Activity::Listen(stop) => {
                    stop.fire(CancelReason::Disconnected);
                }
            }
        }
    }

    /// No more input comes: neither requests nor answers.
    fn close(&self) {
        self.in_flight.lock().expect(POISON).closed = true;
        self.requests.lost();
        for (id, activity) in self.activities() {
            if let Activity::Listen(_) = activity {
                activity.close(self, &id);
            }
        }
    }

    fn activities(&self) -> Vec<(RequestId, Activity)> {
        let in_flight = self.in_flight.lock().expect(POISON);
        let cloned = |(id, activity): (&RequestId, &Activity)| (id.clone(), activity.clone());
        in_flight.activities.iter().map(cloned).collect()
    }

    /// What the client of a legacy session said it can do.
    pub(super) fn capabilities(&self) -> Capabilities {
        let session = self.session.lock().expect(POISON);
        let hello = session.hello.as_ref();
        hello.map_or(Capabilities::NONE, |hello| hello.capabilities)
    }

    async fn until_idle(&self) {
        loop {
            let idle = self.idle.notified();
            tokio::pin!(idle);
            idle.as_mut().enable();
            if self.in_flight.lock().expect(POISON).activities.is_empty() {
                return;
            }
            idle.await;
        }
    }
}

/// The connection ends before the request does.
pub(super) fn closes() -> RpcError {
    RpcError::internal("the connection closes before the request is done")
}

/// Over a limit, on every wire.
pub(super) fn too_many() -> RpcError {
    too_many_for(1_000)
}

/// Over a limit that is likely to have room after `retry_after` milliseconds.
pub(super) fn too_many_for(retry_after: u64) -> RpcError {
    RpcError::internal("too many running tasks")
        .with_data(&serde_json::json!({"retryAfterMs": retry_after}))
}
