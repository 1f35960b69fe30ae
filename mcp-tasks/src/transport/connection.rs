//! One client's connection, from its opening to its end.

use std::sync::Arc;
use std::time::Duration;

use super::lines::{Line, Lines};
use crate::model::principal::Owner;
use crate::server::outbox::Outbox;
use crate::server::{Core, Peer};

/// A connection of this process's own user. Dropped before its end, it takes along what is in flight.
pub(super) struct Connection {
    pub(super) core: Arc<Core>,
    pub(super) peer: Arc<Peer>,
    pub(super) outbox: Arc<Outbox>,
}

impl Connection {
    pub(super) fn open(core: Arc<Core>) -> Self {
        let outbox = Arc::new(Outbox::default());
        let peer = Peer::new(Arc::clone(&core), Owner::Process, Arc::clone(&outbox) as _);
        Self { core, peer, outbox }
    }

    pub(super) fn lines(&self) -> Lines {
        Lines::new(self.core.line_bytes())
    }

    /// The input has ended: every accepted request is answered.
    pub(super) async fn finish(&self) {
        self.peer.finish(self.core.drain()).await;
    }

    /// Nobody reads any more: there is nobody to serve.
    pub(super) async fn give_up(&self) {
        self.peer.finish(Duration::ZERO).await;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.peer.abandon();
        self.outbox.close();
    }
}

pub(super) fn take_in(peer: &Arc<Peer>, line: &Line<'_>) {
    match line {
        Line::Whole(line) => peer.receive(line),
        Line::TooLong => peer.line_too_long(),
    }
}
