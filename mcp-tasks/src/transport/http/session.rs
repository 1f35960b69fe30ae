//! Sessions of clients that speak the revisions up to 2025-11-25.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, RwLock, RwLockWriteGuard, Weak};
use std::time::Duration;

use tokio::time::Instant;

use super::stream::{Keeping, Kind, Stream};
use crate::model::error::RpcError;
use crate::model::id;
use crate::model::principal::Owner;
use crate::server::outlet::Outlet;
use crate::server::{Core, Gate, Pass, Peer};

/// Responses kept for a client that may come back for them, in one session.
const KEPT_STREAMS: usize = 64;

/// How long a session may live whose client has said nothing since it opened it.
const UNCONFIRMED: Duration = Duration::from_secs(60);

const UNPOISONED: &str = "no panic while a session is locked";

/// The name of the stream that belongs to no request.
pub(super) const OWN_STREAM: u64 = 0;

/// One client's session.
pub(super) struct Session {
    pub(super) id: String,
    pub(super) owner: Owner,
    pub(super) peer: Arc<Peer>,
    /// What belongs to no request; read by GET.
    pub(super) own: Arc<Stream>,
    last_stream: AtomicU64,
    streams: Mutex<BTreeMap<u64, Arc<Stream>>>,
    used: Mutex<Instant>,
    /// A message has come since `initialize`.
    confirmed: AtomicBool,
    /// For responses that the client has not come back for.
    room: Arc<Gate>,
}

impl Session {
    fn new(core: Arc<Core>, owner: Owner) -> Self {
        let own = Arc::new(Stream::new(Kind::Session));
        let room = Arc::clone(&core.gates.responses);
        Self {
            id: id::random(),
            peer: Peer::new(core, owner.clone(), Arc::clone(&own) as _),
            owner,
            own,
            last_stream: AtomicU64::new(OWN_STREAM),
            streams: Mutex::default(),
            used: Mutex::new(Instant::now()),
            confirmed: AtomicBool::new(false),
            room,
        }
    }

    /// A stream for the response to one request, under the name it can be resumed by.
    pub(super) fn open_stream(&self) -> (u64, Arc<Stream>) {
        let name = self.last_stream.fetch_add(1, Ordering::Relaxed) + 1;
        let stream = Arc::new(Stream::resumable(Keeping {
            room: Arc::clone(&self.room),
            owner: self.owner.clone(),
        }));
        let mut streams = lock(&self.streams);
        streams.insert(name, Arc::clone(&stream));
        if streams.len() > KEPT_STREAMS {
            // The oldest response that is there and that nobody has come for.
            let mut settled = streams.iter().filter(|(_, stream)| stream.is_settled());
            if let Some(oldest) = settled.next().map(|(name, _)| *name) {
                streams.remove(&oldest);
            }
        }
        (name, stream)
    }

    pub(super) fn stream(&self, name: u64) -> Option<Arc<Stream>> {
        if name == OWN_STREAM {
            return Some(Arc::clone(&self.own));
        }
        lock(&self.streams).get(&name).cloned()
    }

    /// The response has been read to its end.
    pub(super) fn close_stream(&self, name: u64) {
        lock(&self.streams).remove(&name);
    }

    async fn finish(&self, drain: Duration) {
        self.peer.finish(drain).await;
        self.own.close();
    }

    fn touch(&self) {
        self.confirmed.store(true, Ordering::Relaxed);
        *lock(&self.used) = Instant::now();
    }

    /// When the session ends unless it is used before.
    fn idle_until(&self, idle: Duration) -> Instant {
        let idle = if self.confirmed.load(Ordering::Relaxed) {
            idle
        } else {
            idle.min(UNCONFIRMED)
        };
        let busy = self.own.is_attended() || !self.peer.is_idle();
        let since = if busy {
            Instant::now()
        } else {
            *lock(&self.used)
        };
        since + idle
    }
}

/// Every session of one endpoint.
pub(super) struct Sessions {
    core: Arc<Core>,
    open: RwLock<HashMap<String, Open>>,
}

/// A session and its room among all.
struct Open {
    session: Arc<Session>,
    _pass: Pass,
}

impl Sessions {
    pub(super) fn new(core: Arc<Core>) -> Arc<Self> {
        Arc::new(Self {
            core,
            open: RwLock::default(),
        })
    }

    /// A session for a client that has yet to agree on a revision, and its room.
    ///
    /// # Errors
    /// What to answer where there is none.
    pub(super) fn prepare(&self, owner: &Owner) -> Result<(Arc<Session>, Pass), RpcError> {
        let pass = self.core.gates.sessions.enter(owner, 1)?;
        let session = Session::new(Arc::clone(&self.core), owner.clone());
        Ok((Arc::new(session), pass))
    }

    /// Lets a session be found.
    pub(super) fn admit(self: &Arc<Self>, session: &Arc<Session>, pass: Pass) {
        let open = Open {
            session: Arc::clone(session),
            _pass: pass,
        };
        self.changed().insert(session.id.clone(), open);
        let idle = self.core.limits().session_idle;
        tokio::spawn(expire(Arc::downgrade(self), Arc::downgrade(session), idle));
    }

    /// The caller's session; somebody else's is as good as none.
    pub(super) fn find(&self, id: &str, owner: &Owner) -> Option<Arc<Session>> {
        let open = self.open.read().expect(UNPOISONED);
        let session = Arc::clone(&open.get(id)?.session);
        drop(open);
        if session.owner != *owner {
            return None;
        }
        session.touch();
        Some(session)
    }

    /// Ends a session: its calls are cancelled, its tasks are not.
    pub(super) async fn end(&self, session: &Session) {
        if self.changed().remove(&session.id).is_some() {
            session.finish(Duration::ZERO).await;
        }
    }

    /// Ends every session, giving calls `drain` to finish.
    pub(super) async fn end_all(&self, drain: Duration) {
        let open = std::mem::take(&mut *self.changed());
        let endings = open
            .into_values()
            .map(|open| tokio::spawn(async move { open.session.finish(drain).await }));
        for ending in endings.collect::<Vec<_>>() {
            let _ = ending.await;
        }
    }

    fn changed(&self) -> RwLockWriteGuard<'_, HashMap<String, Open>> {
        self.open.write().expect(UNPOISONED)
    }
}

/// Ends the session once it has not been used for `idle`.
async fn expire(sessions: Weak<Sessions>, session: Weak<Session>, idle: Duration) {
    loop {
        let until = match session.upgrade() {
            Some(session) => session.idle_until(idle),
            None => return,
        };
        if until <= Instant::now() {
            break;
        }
        tokio::time::sleep_until(until).await;
    }
    if let (Some(sessions), Some(session)) = (sessions.upgrade(), session.upgrade()) {
        tracing::debug!("an idle session ends");
        sessions.end(&session).await;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect(UNPOISONED)
}
