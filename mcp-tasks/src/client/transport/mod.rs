//! What carries a client's messages. All reading is done in tasks of their own: no caller's future holds a message.

#[cfg(feature = "client-http")]
pub(super) mod http;
pub(super) mod lines;
pub(super) mod process;
#[cfg(feature = "client-http")]
mod sse;

use crate::model::BoxFuture;
use crate::wire::Frame;

/// A message on its way to the server.
#[derive(Clone, Debug)]
pub(super) struct Outgoing {
    /// Of a request.
    pub(super) id: Option<u64>,
    /// Of a request or notification.
    pub(super) method: Option<String>,
    pub(super) body: Frame,
    /// What HTTP says of it beside the body.
    pub(super) headers: Vec<(String, String)>,
}

/// A connection, or what passes for one. Nothing here waits: what comes of a message, a failure to send it included,
/// reaches the [`Router`](super::router::Router).
pub(super) trait Transport: Send + Sync {
    fn send(&self, message: Outgoing);

    /// Nobody waits for the response to this request any more.
    fn forget(&self, _id: u64) {}

    /// A session has begun; `version` is what its messages say.
    fn begin_session(&self, _version: &str) {}

    fn is_http(&self) -> bool {
        false
    }

    /// Ends the connection, and waits until that is done.
    fn close(&self) -> BoxFuture<'static, ()>;
}
