//! One client's connection, from its opening to its end.

use std::sync::Arc;
use std::time::Duration;

use super::lines::{Line, Lines};
use crate::context::extensions::Extensions;
use crate::model::principal::Owner;
use crate::server::outbox::Outbox;
use crate::server::{Core, Peer};

/// A connection, of this process's own user as a rule. Dropped before its end, it takes along what is in flight.
pub(super) struct Connection {
    pub(super) core: Arc<Core>,
    pub(super) peer: Arc<Peer>,
    pub(super) outbox: Arc<Outbox>,
    /// What every request on it carries beside its message.
    extensions: Extensions,
}

impl Connection {
    pub(super) fn open(core: Arc<Core>) -> Self {
        Self::of(core, Owner::Process, Extensions::default())
    }

    pub(super) fn of(core: Arc<Core>, owner: Owner, extensions: Extensions) -> Self {
        let outbox = Arc::new(Outbox::default());
        let peer = Peer::new(Arc::clone(&core), owner, Arc::clone(&outbox) as _);
        Self {
            core,
            peer,
            outbox,
            extensions,
        }
    }

    pub(super) fn take_in(&self, line: &Line<'_>) {
        take_in(&self.peer, line, &self.extensions);
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

pub(super) fn take_in(peer: &Arc<Peer>, line: &Line<'_>, extensions: &Extensions) {
    match line {
        Line::Whole(line) => peer.receive(line, extensions),
        Line::TooLong => peer.line_too_long(),
    }
}
