//! One connection: what the client may be answered, and what it was asked.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::core::{Core, POISON};
use super::outbox::Outbox;
use super::reply::{Batch, Reply};
use super::requests::Requests;
use super::run::Run;
use super::{legacy, modern};
use crate::context::Stop;
use crate::model::cancel::CancelReason;
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
    /// A subscription; it never holds up the end of a connection.
    Listen(Arc<Stop>),
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
    /// Fires when requests that are neither calls nor waits have had their time too.
    pub(super) closing: CancellationToken,
    outbox: Arc<Outbox>,
    in_flight: Mutex<HashMap<RequestId, Activity>>,
    /// Requests that are neither answered nor left without an answer, in flight or not.
    unanswered: AtomicUsize,
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
            closing: CancellationToken::new(),
            outbox,
            in_flight: Mutex::default(),
            unanswered: AtomicUsize::new(0),
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
        match Meta::read(params.meta) {
            Err(error) => reply.error(&error),
            Ok(meta) if meta.is_modern() || modern::is_modern_method(method) => {
                modern::request(reply, method, params, meta);
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
        let activity = self.in_flight.lock().expect(POISON).get(id).cloned();
        match activity {
            Some(Activity::Call(run)) => run.cancelled_by_client(self, id),
            Some(Activity::Wait(stop) | Activity::Listen(stop)) => {
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

    /// Puts a request on the table of those in flight; `Err` hands the reply back with what to say.
    pub(super) fn list(
        &self,
        mut reply: Reply,
        activity: Activity,
    ) -> Result<Reply, (Reply, RpcError)> {
        let mut in_flight = self.in_flight.lock().expect(POISON);
        if in_flight.len() >= self.core.limits.in_flight {
            drop(in_flight);
            return Err((reply, too_many()));
        }
        in_flight.insert(reply.id().clone(), activity);
        reply.listed = true;
        Ok(reply)
    }

    pub(super) fn unlist(&self, id: &RequestId) {
        self.in_flight.lock().expect(POISON).remove(id);
    }

    pub(super) fn expect_reply(&self) {
        self.unanswered.fetch_add(1, Ordering::SeqCst);
    }

    #[cfg(feature = "testing")]
    pub(super) fn unanswered(&self) -> usize {
        self.unanswered.load(Ordering::SeqCst)
    }

    pub(super) fn reply_is_over(&self) {
        if self.unanswered.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.idle.notify_waiters();
        }
    }

    /// The input has ended: questions that nobody can answer any more end, accepted requests get `drain` to
    /// finish, the rest is cancelled and answered.
    pub(crate) async fn finish(&self, drain: Duration) {
        self.requests.lost();
        self.end_subscriptions();
        let _ = tokio::time::timeout(drain, self.until_idle()).await;
        for (id, activity) in self.activities() {
            match activity {
                Activity::Call(run) => run.closed_by_server(self, &id),
                Activity::Wait(stop) | Activity::Listen(stop) => stop.fire(CancelReason::Shutdown),
            }
        }
        self.closing.cancel();
        // Each of these answers as soon as it is scheduled; nothing else keeps it.
        self.until_idle().await;
    }

    fn activities(&self) -> Vec<(RequestId, Activity)> {
        let in_flight = self.in_flight.lock().expect(POISON);
        let cloned = |(id, activity): (&RequestId, &Activity)| (id.clone(), activity.clone());
        in_flight.iter().map(cloned).collect()
    }

    fn end_subscriptions(&self) {
        for (_, activity) in self.activities() {
            if let Activity::Listen(stop) = activity {
                stop.fire(CancelReason::Shutdown);
            }
        }
    }

    async fn until_idle(&self) {
        loop {
            let idle = self.idle.notified();
            tokio::pin!(idle);
            idle.as_mut().enable();
            if self.unanswered.load(Ordering::SeqCst) == 0 {
                return;
            }
            idle.await;
        }
    }
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
