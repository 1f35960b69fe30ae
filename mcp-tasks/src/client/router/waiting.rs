//! What whoever waits for a message holds; dropped, it waits no more.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::oneshot;

use super::{Failure, Kind, Router, lock};

/// A request under way. Dropped before its response, it tells the server.
pub(in crate::client) struct Waiting {
    pub(super) router: Arc<Router>,
    pub(super) id: u64,
    pub(super) kind: Kind,
    pub(super) receiver: Option<oneshot::Receiver<Result<Value, Failure>>>,
}

impl Waiting {
    pub(in crate::client) async fn response(mut self) -> Result<Value, Failure> {
        let Some(receiver) = &mut self.receiver else {
            return Err(Failure::Lost);
        };
        let response = receiver.await;
        self.receiver = None;
        response.unwrap_or_else(|_| Err(Failure::Closed("this client was closed".to_owned())))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let Some(mut receiver) = self.receiver.take() else {
            return;
        };
        // From here on the router has its response back.
        receiver.close();
        match receiver.try_recv() {
            Ok(unseen) => self.router.unseen(unseen),
            Err(_) => self.router.abandon(self.id, self.kind),
        }
    }
}

/// Ends the delivery of progress when it is dropped.
pub(in crate::client) struct ProgressGuard {
    pub(super) router: Arc<Router>,
    pub(super) id: u64,
}

impl Drop for ProgressGuard {
    fn drop(&mut self) {
        lock(&self.router.state).progress.remove(&self.id);
    }
}
