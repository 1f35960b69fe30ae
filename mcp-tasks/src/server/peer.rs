//! One connection: what the client may be answered, and what it was asked.

mod in_flight;
mod intake;

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Notify;

pub(super) use self::in_flight::Activity;
use self::in_flight::{InFlight, Listed};
use super::at_once::AtOnce;
use super::core::Core;
use super::gate::Pass;
use super::outlet::Outlet;
use super::reply::{Refused, Reply};
use super::requests::Requests;
use super::run::Run;
use super::weak_runs::WeakRuns;
use crate::model::cancel::CancelReason;
use crate::model::capability::Capabilities;
use crate::model::concurrency::lock;
use crate::model::error::{Busy, RpcError};
use crate::model::id;
use crate::model::level::LogLevel;
use crate::model::principal::Owner;
use crate::wire::Revision;
use crate::wire::envelope::RequestId;
use crate::wire::legacy::Hello;

/// What a legacy client said of itself.
#[derive(Default)]
pub(super) struct Session {
    pub(super) hello: Option<Hello>,
    pub(super) log_level: Option<LogLevel>,
}

/// One connection of one owner.
pub(crate) struct Peer {
    pub(super) core: Arc<Core>,
    pub(super) owner: Arc<Owner>,
    pub(super) runtime: Handle,
    pub(super) session: Mutex<Session>,
    /// The name space of the SEP-1686 tasks whose ids this client chose, once there are any.
    drafts: OnceLock<Arc<str>>,
    /// Requests to the client that wait for its response.
    pub(super) requests: Requests,
    /// Where what belongs to no request goes.
    pub(super) home: Arc<dyn Outlet>,
    /// Whoever takes its messages in, if calls may begin there.
    pub(super) at_once: OnceLock<Arc<dyn AtOnce>>,
    in_flight: Mutex<InFlight>,
    /// Tasks with questions that were put to this client, or should have been.
    asking: WeakRuns,
    /// Cancelled calls of its own whose bodies may still wind down.
    winding_down: WeakRuns,
    idle: Notify,
}

impl Peer {
    pub(crate) fn new(core: Arc<Core>, owner: Owner, home: Arc<dyn Outlet>) -> Arc<Self> {
        if let Some(tasks) = &core.tasks {
            tasks.start();
        }
        let peer = Arc::new(Self {
            core,
            owner: Arc::new(owner),
            runtime: Handle::current(),
            session: Mutex::default(),
            drafts: OnceLock::new(),
            requests: Requests::default(),
            home,
            at_once: OnceLock::new(),
            in_flight: Mutex::default(),
            asking: WeakRuns::default(),
            winding_down: WeakRuns::default(),
            idle: Notify::new(),
        });
        #[cfg(feature = "testing")]
        peer.core.connected(&peer);
        peer
    }

    /// Lets calls begin where they are taken in.
    #[cfg(any(feature = "stdio", feature = "http"))]
    pub(crate) fn begin_at_once(&self, intake: Arc<dyn AtOnce>) {
        // A connection has one intake for good.
        let _ = self.at_once.set(intake);
    }

    /// Puts a request on the table of those in flight; `Err` hands the reply back with what to say.
    pub(super) fn list(&self, mut reply: Reply, activity: Activity) -> Result<Reply, Refused> {
        let mut in_flight = lock(&self.in_flight);
        match self.admit(&in_flight, reply.id(), &activity) {
            Ok(pass) => {
                in_flight.insert(
                    reply.id().clone(),
                    Listed {
                        activity,
                        _pass: pass,
                    },
                );
                reply.listed = true;
                Ok(reply)
            }
            Err(refusal) => {
                reply.is_second = in_flight.has(reply.id());
                drop(in_flight);
                Err((reply, Box::new(refusal)))
            }
        }
    }

    /// Whether there is room for one more.
    fn admit(
        &self,
        in_flight: &InFlight,
        id: &RequestId,
        activity: &Activity,
    ) -> Result<Option<Pass>, RpcError> {
        if in_flight.closed {
            return Err(closes());
        }
        // Of two that came at once by two connections of a session, one: each was alone when it was looked at.
        if in_flight.has(id) {
            return Err(still_worked_on());
        }
        if !activity.counts() {
            return Ok(None);
        }
        if in_flight.counted() >= self.core.limits.in_flight {
            return Err(too_many());
        }
        self.core.gates.requests.enter(&self.owner, 1).map(Some)
    }

    /// Takes a request off the table, with `last_act` as the last thing done for it: whoever finds the table
    /// without it finds that done.
    pub(super) fn unlist(&self, id: &RequestId, last_act: impl FnOnce()) {
        let mut in_flight = lock(&self.in_flight);
        // Whoever reads the response finds the room that it made.
        drop(in_flight.remove(id));
        last_act();
        if in_flight.is_empty() {
            self.idle.notify_waiters();
        }
    }

    /// Requests that wait for their response.
    #[cfg(feature = "testing")]
    pub(super) fn unanswered(&self) -> usize {
        lock(&self.in_flight).len()
    }

    /// A call that was listed before the connection closed, and is attached after.
    pub(super) fn end_if_closed(&self, run: &Run) {
        if lock(&self.in_flight).closed {
            run.closed_with(self);
        }
    }

    /// A client that the session can reach again is asked what was never answered. A `fresh` stream replays
    /// nothing: what was asked on the one before is lost too.
    #[cfg(feature = "http")]
    pub(crate) fn reachable_again(self: &Arc<Self>, fresh: bool) {
        for run in self.asking.take() {
            run.reachable_again(self, fresh);
        }
    }

    /// A call is being cancelled. If its body is given time, the end of this connection waits for it, and so does that
    /// of the server.
    fn winds_down(&self, run: &Arc<Run>) {
        if run.tool.winds_down {
            self.winding_down.add(run);
            self.core.winding_down.add(run);
        }
    }

    /// Remembers a task that has questions for this client.
    pub(super) fn is_asked_by(&self, run: &Arc<Run>) {
        self.asking.add(run);
    }

    /// Whether `initialize` has gone through.
    #[cfg(feature = "http")]
    pub(crate) fn is_initialized(&self) -> bool {
        lock(&self.session).hello.is_some()
    }

    /// The revision that `initialize` agreed on.
    pub(crate) fn revision(&self) -> Option<Revision> {
        lock(&self.session)
            .hello
            .as_ref()
            .map(|hello| hello.revision)
    }

    /// Whether no request is being worked on.
    #[cfg(feature = "http")]
    pub(crate) fn is_idle(&self) -> bool {
        lock(&self.in_flight).is_empty()
    }

    /// Whether its tasks may be listed: callers who cannot be told apart must not learn each other's ids
    /// (2025-11-25 tasks, "Task Isolation and Access Control").
    pub(super) fn may_list_tasks(&self) -> bool {
        *self.owner != Owner::Bearer
    }

    /// Whether the client has used the key of SEP-1686.
    pub(super) fn has_drafts(&self) -> bool {
        self.drafts.get().is_some()
    }

    /// The name space of this session's SEP-1686 tasks.
    pub(super) fn draft_session(&self) -> &Arc<str> {
        self.drafts.get_or_init(|| id::random().into())
    }

    /// Whom this session's SEP-1686 tasks belong to.
    pub(super) fn draft_owner(&self) -> Owner {
        Owner::Session {
            principal: self.owner.principal().cloned(),
            session: Arc::clone(self.draft_session()),
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
        let mut runs: Vec<_> = rest
            .into_iter()
            .filter_map(|(_, activity)| match activity {
                Activity::Call(run) => Some(run),
                _ => None,
            })
            .collect();
        runs.extend(self.winding_down.left());
        self.core.wound_down(&runs).await;
    }

    /// Nobody is there any more to read a response: what is in flight stops.
    pub(crate) fn abandon(&self) {
        self.close();
        for (id, activity) in self.activities() {
            match activity {
                Activity::Call(run) => {
                    self.winds_down(&run);
                    run.disconnected(self, &id);
                }
                Activity::Wait(stop) | Activity::Lookup(stop) | Activity::Listen(stop) => {
                    stop.fire(CancelReason::Disconnected);
                }
            }
        }
    }

    /// No more input comes: neither requests nor answers.
    fn close(&self) {
        lock(&self.in_flight).closed = true;
        for (id, run) in self.requests.close() {
            run.client_lost(self, id);
        }
        for (id, activity) in self.activities() {
            if let Activity::Listen(_) = activity {
                activity.close(self, &id);
            }
        }
    }

    fn activities(&self) -> Vec<(RequestId, Activity)> {
        let in_flight = lock(&self.in_flight);
        let cloned = |(id, activity): (&RequestId, &Activity)| (id.clone(), activity.clone());
        in_flight.iter().map(cloned).collect()
    }

    /// What the client of a legacy session said it can do.
    pub(super) fn capabilities(&self) -> Capabilities {
        let session = lock(&self.session);
        let hello = session.hello.as_ref();
        hello.map_or(Capabilities::NONE, |hello| hello.capabilities)
    }

    async fn until_idle(&self) {
        loop {
            let idle = self.idle.notified();
            tokio::pin!(idle);
            idle.as_mut().enable();
            if lock(&self.in_flight).is_empty() {
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

/// Under that id the client waits for another answer.
fn still_worked_on() -> RpcError {
    RpcError::new(
        RpcError::INVALID_REQUEST,
        "a request with this id is still being worked on",
    )
}

/// Over the limit of one connection.
fn too_many() -> RpcError {
    let busy = Busy {
        retry_after: 1_000,
        of_caller: true,
    };
    RpcError::busy("too many requests", busy)
}
