//! Waiting for a task to change: the registrations, and the loop that turns the store's feed into
//! wakes.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

use crate::model::concurrency::spawn;
use crate::model::task::TaskId;

use super::store::{Changes, Cursor, TaskStore};
use crate::model::concurrency::lock;

/// How long to leave a store alone that could not be read.
const RETRY: Duration = Duration::from_secs(1);

/// The tasks that this process runs: each has one who always wants to know of changes, and needs no registration.
pub(crate) trait Runners: Send + Sync {
    /// The record of this task, which another process may run, has changed or was removed.
    fn task_changed(&self, id: &TaskId);

    /// Any record may have changed.
    fn any_changed(&self);
}

/// Nothing runs.
#[cfg(test)]
impl Runners for () {
    fn task_changed(&self, _: &TaskId) {}
    fn any_changed(&self) {}
}

/// Every registration, by task. A task without one has no line.
pub(super) struct Watches {
    table: Mutex<HashMap<TaskId, Vec<Arc<Notify>>>>,
    runners: Arc<dyn Runners>,
}

impl Watches {
    pub(super) fn new(runners: Arc<dyn Runners>) -> Arc<Self> {
        Arc::new(Self {
            table: Mutex::default(),
            runners,
        })
    }

    pub(super) fn register(self: &Arc<Self>, id: &TaskId) -> Watch {
        let wake = Arc::new(Notify::new());
        lock(&self.table)
            .entry(id.clone())
            .or_default()
            .push(Arc::clone(&wake));
        Watch {
            watches: Arc::clone(self),
            id: id.clone(),
            wake,
        }
    }

    pub(super) fn wake(&self, ids: &[TaskId]) {
        let table = lock(&self.table);
        for wake in ids.iter().filter_map(|id| table.get(id)).flatten() {
            wake.notify_one();
        }
        drop(table);
        for id in ids {
            self.runners.task_changed(id);
        }
    }

    pub(super) fn wake_all(&self) {
        for wake in lock(&self.table).values().flatten() {
            wake.notify_one();
        }
        self.runners.any_changed();
    }

    /// How many there are, counted one by one.
    #[cfg(any(test, feature = "testing"))]
    pub(super) fn count(&self) -> usize {
        lock(&self.table).values().map(Vec::len).sum()
    }

    /// Wakes whoever the store's feed names, for ever.
    pub(super) async fn follow(self: Arc<Self>, store: Arc<dyn TaskStore>) {
        let mut cursor = Cursor::default();
        loop {
            match store.changes(cursor).await {
                Ok(Changes { ids, next, lost }) => {
                    cursor = next;
                    if lost {
                        self.wake_all();
                    } else {
                        self.wake(&ids);
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "the feed of task changes cannot be read");
                    tokio::time::sleep(RETRY).await;
                }
            }
        }
    }
}

/// A registration for wakes on one task; dropping it ends it.
pub(crate) struct Watch {
    watches: Arc<Watches>,
    id: TaskId,
    /// Holds at most one wake until somebody asks: many changes are one.
    wake: Arc<Notify>,
}

impl Watch {
    /// Resolves once the task has changed (or been removed) since the last call returned, or since
    /// registration.
    ///
    /// It may also resolve without a change. A call that is dropped takes no wake with it.
    pub(crate) fn changed(&mut self) -> Notified<'_> {
        self.wake.notified()
    }

    /// Resolves the next wait in a moment: the record could not be read now, and is looked at again.
    pub(crate) fn again_later(&self) {
        let wake = Arc::clone(&self.wake);
        let again = async move {
            tokio::time::sleep(RETRY).await;
            wake.notify_one();
        };
        spawn(&Handle::current(), Box::pin(again));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut table = lock(&self.watches.table);
        if let Some(wakes) = table.get_mut(&self.id) {
            wakes.retain(|wake| !Arc::ptr_eq(wake, &self.wake));
            if wakes.is_empty() {
                table.remove(&self.id);
            }
        }
    }
}
