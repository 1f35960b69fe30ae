//! The modern requests that wait for their answers: nobody else knows of them when the server ends.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::task::JoinHandle;

use crate::server::Peer;

/// The peers of all such requests of one endpoint.
#[derive(Default)]
pub(super) struct Exchanges {
    last: AtomicU64,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    peers: HashMap<u64, Arc<Peer>>,
    /// The server ends, and gives calls this long to finish.
    ending: Option<Duration>,
}

/// One request's place among them, for as long as it waits.
pub(super) struct Entry {
    exchanges: Arc<Exchanges>,
    number: u64,
}

impl Exchanges {
    pub(super) fn enter(self: &Arc<Self>, peer: &Arc<Peer>) -> Entry {
        let number = self.last.fetch_add(1, Ordering::Relaxed);
        let mut open = self.lock();
        match open.ending {
            None => {
                open.peers.insert(number, Arc::clone(peer));
            }
            Some(drain) => drop(end(Arc::clone(peer), drain)),
        }
        drop(open);
        Entry {
            exchanges: Arc::clone(self),
            number,
        }
    }

    /// Ends every request, giving calls `drain` to finish; those that come later too.
    pub(super) async fn end_all(&self, drain: Duration) {
        let open = {
            let mut open = self.lock();
            open.ending = Some(drain);
            std::mem::take(&mut open.peers)
        };
        let endings = open.into_values().map(|peer| end(peer, drain));
        for ending in endings.collect::<Vec<_>>() {
            let _ = ending.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().expect("no panic while it is locked")
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.exchanges.lock().peers.remove(&self.number);
    }
}

fn end(peer: Arc<Peer>, drain: Duration) -> JoinHandle<()> {
    tokio::spawn(async move { peer.finish(drain).await })
}
