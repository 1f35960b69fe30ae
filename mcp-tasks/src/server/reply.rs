//! The one response to a request: sent once or, if the request was cancelled, never.

use std::sync::{Arc, Mutex};

use super::Peer;
use super::exchange::Exchange;
use super::outlet::{Answer, ErrorKind, Lost, Outlet};
use crate::context::extensions::Extensions;
use crate::model::concurrency::lock;
use crate::model::error::RpcError;
use crate::wire::envelope::RequestId;
use crate::wire::{Frame, Message, legacy, modern};

/// The right to answer one request. Dropped unsent, it leaves the request without a response,
/// unless it is a panic that drops it.
pub(crate) struct Reply {
    peer: Arc<Peer>,
    outlet: Arc<dyn Outlet>,
    extensions: Extensions,
    id: RequestId,
    batch: Option<Arc<Batch>>,
    /// There is nothing left to do for it.
    finished: bool,
    /// In the peer's table of requests in flight.
    pub(super) listed: bool,
    /// Its id is that of another request, whose answer the client still waits for.
    pub(super) is_second: bool,
}

/// A request that is not taken on, and what to answer it.
pub(super) type Refused = (Reply, Box<RpcError>);

impl Reply {
    pub(super) fn new(peer: &Arc<Peer>, via: &Exchange<'_>, id: RequestId) -> Self {
        Self {
            peer: Arc::clone(peer),
            outlet: Arc::clone(via.outlet),
            extensions: via.extensions.clone(),
            id,
            batch: via.batch.cloned(),
            finished: false,
            listed: false,
            is_second: false,
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

    /// Whether it leaves together with others.
    pub(super) fn is_of_batch(&self) -> bool {
        self.batch.is_some()
    }

    pub(super) fn peer(&self) -> &Arc<Peer> {
        &self.peer
    }

    /// Where the request's own notifications go.
    pub(super) fn outlet(&self) -> &Arc<dyn Outlet> {
        &self.outlet
    }

    pub(super) fn extensions(&self) -> &Extensions {
        &self.extensions
    }

    pub(super) fn send(self, message: impl Into<Message>) {
        self.answer(message.into(), None, None);
    }

    /// Sends the response; `lost` hears of a client that was gone before it could take it.
    pub(super) fn send_or(self, frame: Frame, lost: Lost) {
        self.answer(frame.into(), None, Some(lost));
    }

    fn answer(mut self, message: Message, error: Option<ErrorKind>, lost: Option<Lost>) {
        self.finish(Some(Answer {
            message,
            error,
            lost,
        }));
    }

    pub(super) fn error(self, error: &RpcError) {
        let id = (!self.is_second).then_some(&self.id);
        let frame = modern::error(id, error);
        self.answer(frame.into(), Some(error.into()), None);
    }

    /// Off the table and out in one: the client may use the id again once it has read the response, and the
    /// connection may close once the table is empty.
    fn finish(&mut self, answer: Option<Answer>) {
        self.finished = true;
        let (peer, outlet, batch) = (&self.peer, &self.outlet, self.batch.take());
        let is_second = self.is_second;
        let answer = || match (batch, answer) {
            (Some(batch), answer) => {
                batch.finished(answer.map(|answer| answer.message.joined()), &**outlet);
            }
            (None, Some(answer)) if is_second => outlet.refuse(answer),
            (None, Some(answer)) => outlet.respond(answer),
            (None, None) => outlet.close(),
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
        if self.finished {
            return;
        }
        let answer = std::thread::panicking().then(|| {
            // Whoever was about to answer, a store perhaps, has panicked: nobody else will.
            let error = RpcError::internal("the server failed unexpectedly");
            Answer {
                message: modern::error(Some(&self.id), &error).into(),
                error: Some((&error).into()),
                lost: None,
            }
        });
        self.finish(answer);
    }
}

/// The responses to a 2025-03-26 batch, which leave together.
pub(crate) struct Batch(Mutex<Responses>);

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
        lock(&self.0).open += 1;
    }

    /// Adds an answer that belongs to no member.
    pub(super) fn add(&self, frame: Frame) {
        lock(&self.0).frames.push(frame);
    }

    pub(super) fn finished(&self, frame: Option<Frame>, outlet: &dyn Outlet) {
        let mut responses = lock(&self.0);
        responses.open -= 1;
        responses.frames.extend(frame);
        if responses.open > 0 {
            return;
        }
        if responses.frames.is_empty() {
            outlet.close();
        } else {
            let frame = legacy::batch(&responses.frames);
            outlet.respond(Answer {
                message: frame.into(),
                error: None,
                lost: None,
            });
        }
    }
}
