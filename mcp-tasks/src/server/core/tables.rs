//! What a server holds at one moment, to prove that nothing leaks.

use std::sync::{Arc, Weak};

use super::Core;
use crate::model::concurrency::lock;
use crate::server::peer::Peer;

/// What a server's tables hold at one moment.
///
/// [`tables`](crate::testing::tables) gives them; [the guide](crate::guide::testing#what-else-to-test) says what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tables {
    /// Tasks that have not ended.
    pub live_tasks: usize,
    /// Tasks that have ended and are kept.
    pub kept_tasks: usize,
    /// Waits for a change of a task.
    pub watches: usize,
    /// Tasks that this process runs.
    pub task_runs: usize,
    /// Inline calls that wait for their client to come back.
    pub parked_calls: usize,
    /// Calls of tools that have not ended: a cancelled one may take a while to wind down.
    pub runs: usize,
    /// Connections that are open, or closed and still held by something.
    pub connections: usize,
    /// Requests that have no response yet.
    pub requests: usize,
    /// Requests to clients that have no response yet.
    pub questions: usize,
    /// What is counted against the limits of the server as a whole: requests, subscriptions, parked calls and sessions.
    pub counted: usize,
}

impl Core {
    pub(in crate::server) fn connected(&self, peer: &Arc<Peer>) {
        let mut peers = lock(&self.peers);
        // Before it grows: connections that are over make room.
        if peers.len() == peers.capacity() {
            peers.retain(|peer| peer.strong_count() > 0);
        }
        peers.push(Arc::downgrade(peer));
    }

    /// What is left in every table that a run could be forgotten in.
    pub(crate) fn tables(&self) -> Tables {
        let engine = self.tasks.as_ref().map(|tasks| tasks.engine.counts());
        let engine = engine.unwrap_or_default();
        let peers: Vec<Arc<Peer>> = {
            let peers = lock(&self.peers);
            peers.iter().filter_map(Weak::upgrade).collect()
        };
        Tables {
            live_tasks: engine.live,
            kept_tasks: engine.kept,
            watches: engine.watches,
            task_runs: self.task_runs.count(),
            parked_calls: lock(&self.parked).len(),
            runs: *self.runs.borrow(),
            connections: peers.len(),
            requests: peers.iter().map(|peer| peer.unanswered()).sum(),
            questions: peers.iter().map(|peer| peer.requests.count()).sum(),
            counted: self.gates.count(),
        }
    }
}
