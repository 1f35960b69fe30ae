//! What runs beside the engine: on each runtime that serves it, one loop for the feed and one
//! sleeper.

use std::sync::{Arc, Mutex};

use tokio::runtime::{Handle, Id};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::model::BoxFuture;
use crate::model::clock::Millis;
use crate::model::concurrency::spawn;

use super::expiry::{Alarm, Sweeper};
use super::store::TaskStore;
use super::watch::Watches;
use crate::model::concurrency::lock;

/// The loops of one engine. They end when this is dropped, or with their runtime.
///
/// Each runtime has its own pair, so that none depends on another that may stop: a record expires
/// once however many sleepers there are, and a wake too many costs a read.
#[derive(Debug, Default)]
pub(super) struct Background {
    pairs: Mutex<Vec<Pair>>,
    closing: CancellationToken,
}

#[derive(Debug)]
struct Pair {
    runtime: Id,
    alarm: Arc<Alarm>,
    feed: JoinHandle<()>,
    sleeper: JoinHandle<()>,
}

impl Background {
    /// Spawns both loops on the current runtime, unless they run there.
    ///
    /// # Panics
    ///
    /// Outside a runtime.
    pub(super) fn start(&self, store: Arc<dyn TaskStore>, watches: Arc<Watches>, sweep: Sweeper) {
        let runtime = Handle::current();
        let mut pairs = lock(&self.pairs);
        pairs.retain(|pair| !pair.feed.is_finished() && !pair.sleeper.is_finished());
        if pairs.iter().any(|pair| pair.runtime == runtime.id()) {
            return;
        }
        let alarm = Arc::new(Alarm::new());
        let spawn_until_closing = |body: BoxFuture<'static, ()>| {
            let closing = self.closing.clone();
            let until_closing = async move {
                // `None` says that the engine is gone.
                let _ended = closing.run_until_cancelled_owned(body).await;
            };
            spawn(&runtime, Box::pin(until_closing))
        };
        let feed = spawn_until_closing(Box::pin(watches.follow(store)));
        let sleeper = spawn_until_closing(Box::pin(sweep.run(Arc::clone(&alarm))));
        pairs.push(Pair {
            runtime: runtime.id(),
            alarm,
            feed,
            sleeper,
        });
    }

    /// Tells every sleeper of a deadline that is in the store.
    pub(super) fn announce(&self, deadline: Millis) {
        for pair in lock(&self.pairs).iter() {
            pair.alarm.announce(deadline);
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.closing.cancel();
    }
}
