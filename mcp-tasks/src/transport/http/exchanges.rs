//! The modern requests that are being answered: nobody else knows of them when the server ends.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use crate::server::Peer;

/// The peers of all such requests of one endpoint.
#[derive(Default)]
pub(super) struct Exchanges {
    last: AtomicU64,
    open: Mutex<HashMap<u64, Arc<Peer>>>,
}

/// One request's place among them, for as long as it is being answered.
pub(super) struct Entry {
    exchanges: Arc<Exchanges>,
    number: u64,
}

impl Exchanges {
    pub(super) fn enter(self: &Arc<Self>, peer: &Arc<Peer>) -> Entry {
        let number = self.last.fetch_add(1, Ordering::Relaxed);
        self.lock().insert(number, Arc::clone(peer));
        Entry {
            exchanges: Arc::clone(self),
            number,
        }
    }

    /// Ends every request, giving calls `drain` to finish.
    pub(super) async fn end_all(&self, drain: Duration) {
        let open: Vec<_> = self.lock().values().cloned().collect();
        let endings = open
            .into_iter()
            .map(|peer| tokio::spawn(async move { peer.finish(drain).await }));
        for ending in endings.collect::<Vec<_>>() {
            let _ = ending.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Arc<Peer>>> {
        self.open.lock().expect("no panic while it is locked")
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.exchanges.lock().remove(&self.number);
    }
}
