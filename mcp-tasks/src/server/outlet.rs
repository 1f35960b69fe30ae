//! Where the frames for one client, or for one of its requests, go.

use super::outbox::Outbox;
use crate::model::BoxFuture;
use crate::model::error::{Busy, RpcError};
use crate::wire::{Frame, Message};

/// Called if a response never reached its client.
pub(crate) type Lost = Box<dyn FnOnce() + Send>;

/// A response on its way.
#[cfg_attr(
    not(feature = "http"),
    expect(dead_code, reason = "stdio says all in the message")
)]
pub(crate) struct Answer {
    pub(crate) message: Message,
    /// The JSON-RPC error that it is, where the server answers before any tool runs.
    pub(crate) error: Option<ErrorKind>,
    pub(crate) lost: Option<Lost>,
}

/// What a transport may want to know of an error that it carries.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(feature = "http"),
    expect(dead_code, reason = "stdio says all in the message")
)]
pub(crate) struct ErrorKind {
    pub(crate) code: i64,
    pub(crate) busy: Option<Busy>,
}

impl From<&RpcError> for ErrorKind {
    fn from(error: &RpcError) -> Self {
        Self {
            code: error.code,
            busy: error.busy,
        }
    }
}

/// Where frames go: a connection's one stream of lines, or the response to one HTTP request.
pub(crate) trait Outlet: Send + Sync + 'static {
    /// Sends a notification or a request of the server's; `false` if nobody will hear it.
    fn send(&self, frame: Frame) -> bool;

    /// Whether somebody reads what is sent.
    fn is_open(&self) -> bool;

    /// Whether there is room for what need not be said. Without it, messages and progress are left out: a
    /// client that does not read must not cost more and more.
    fn keeps_up(&self) -> bool;

    /// Waits until it keeps up, or nobody reads any more: for what is said of a state, of which only the last counts.
    fn room(&self) -> BoxFuture<'_, ()>;

    /// Sends the response that this outlet was opened for.
    fn respond(&self, answer: Answer);

    /// Refuses the message that this outlet was opened for, whose id there is nothing to answer under.
    fn refuse(&self, answer: Answer) {
        self.respond(answer);
    }

    /// There will be no response: the request was cancelled.
    fn close(&self) {}
}

/// What went into a pipe has reached its client, as far as anybody can tell.
impl Outlet for Outbox {
    fn send(&self, frame: Frame) -> bool {
        self.push(frame.into())
    }

    fn is_open(&self) -> bool {
        !self.is_closed()
    }

    fn keeps_up(&self) -> bool {
        !self.is_full()
    }

    fn room(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.wait_for_room())
    }

    fn respond(&self, answer: Answer) {
        self.push(answer.message);
    }
}
