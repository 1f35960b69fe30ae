//! The one response to a request: sent once or, if the request was cancelled, never.

use std::sync::{Arc, Mutex};

use super::Peer;
use super::core::POISON;
use crate::model::error::RpcError;
use crate::wire::envelope::RequestId;
use crate::wire::{Frame, legacy, modern};

/// The right to answer one request. Dropped unsent, it leaves the request without a response,
/// unless it is a panic that drops it.
pub(crate) struct Reply {
    peer: Arc<Peer>,
    id: RequestId,
    batch: Option<Arc<Batch>>,
    answered: bool,
    /// In the peer's table of requests in flight.
    pub(super) listed: bool,
}

impl Reply {
    pub(super) fn new(peer: &Arc<Peer>, id: RequestId, batch: Option<Arc<Batch>>) -> Self {
        Self {
            peer: Arc::clone(peer),
            id,
            batch,
            answered: false,
            listed: false,
        }
    }

    pub(super) fn id(&self) -> &RequestId {
        &self.id
    }

    /// Whether this is the response to the request `id` of `peer`.
    pub(super) fn answers(&self, peer: &Peer, id: &RequestId) -> bool {
        self.is_of(peer) && self.id == *id
    }

    /// Whether this is the response to a request of `peer`.
    pub(super) fn is_of(&self, peer: &Peer) -> bool {
        std::ptr::eq(&raw const *self.peer, peer)
    }

    pub(super) fn peer(&self) -> &Arc<Peer> {
        &self.peer
    }

    pub(super) fn send(mut self, frame: Frame) {
        self.finish(Some(frame));
    }

    pub(super) fn error(self, error: &RpcError) {
        let frame = modern::error(Some(&self.id), error);
        self.send(frame);
    }

    /// Off the table and out in one: the client may use the id again once it has read the response, and the
    /// connection may close once the table is empty.
    fn finish(&mut self, frame: Option<Frame>) {
        self.answered |= frame.is_some();
        let (peer, batch) = (&self.peer, self.batch.take());
        let answer = || match (batch, frame) {
            (Some(batch), frame) => batch.finished(frame, peer),
            (None, Some(frame)) => peer.send(frame),
            (None, None) => {}
        };
        if std::mem::take(&mut self.listed) {
            peer.unlist(&self.id, answer);
        } else {
            answer();
        }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        let frame = (!self.answered && std::thread::panicking()).then(|| {
            // Whoever was about to answer, a store perhaps, has panicked: nobody else will.
            let error = RpcError::internal("the server failed unexpectedly");
            modern::error(Some(&self.id), &error)
        });
        // After `send` there is nothing left to do.
        self.finish(frame);
    }
}

/// The responses to a 2025-03-26 batch, which leave together.
pub(super) struct Batch(Mutex<Responses>);

struct Responses {
    open: usize,
    frames: Vec<Frame>,
}

impl Batch {
    pub(super) fn new() -> Arc<Self> {
        // One for the reader of the batch, so that nothing leaves before every member is read.
        Arc::new(Self(Mutex::new(Responses {
            open: 1,
            frames: Vec::new(),
        })))
    }

    pub(super) fn expect_one(&self) {
        self.0.lock().expect(POISON).open += 1;
    }

    pub(super) fn finished(&self, frame: Option<Frame>, peer: &Peer) {
        let mut responses = self.0.lock().expect(POISON);
        responses.open -= 1;
        responses.frames.extend(frame);
        if responses.open == 0 && !responses.frames.is_empty() {
            peer.send(legacy::batch(&responses.frames));
        }
    }
}
