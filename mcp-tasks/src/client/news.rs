//! What servers tell of tasks unasked, for whoever follows them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::mpsc;

use crate::model::task::TaskId;
use crate::wire::client::key;
use crate::wire::client::task::{self, Snapshot};

/// Something about one task.
#[derive(Clone, Debug)]
pub(super) enum News {
    State(Box<Snapshot>),
    /// A subscription to it has been granted.
    Subscribed,
    /// It exists (the SEP-1686 draft).
    Created,
}

#[derive(Default)]
pub(super) struct NewsDesk(Arc<Mutex<Readers>>);

#[derive(Default)]
struct Readers {
    by_task: HashMap<TaskId, Vec<mpsc::UnboundedSender<News>>>,
    /// The task that a `subscriptions/listen` is about.
    subscriptions: HashMap<u64, TaskId>,
    /// Told of tasks that nobody waits for.
    orphans: Option<Box<dyn Fn(TaskId) + Send>>,
}

impl NewsDesk {
    /// What is told of `id` from now on.
    pub(super) fn read(&self, id: &TaskId) -> Reader {
        let (sender, news) = mpsc::unbounded_channel();
        self.lock()
            .by_task
            .entry(id.clone())
            .or_default()
            .push(sender);
        Reader {
            desk: Arc::clone(&self.0),
            id: id.clone(),
            news,
        }
    }

    /// The acknowledgement of the request `subscription` is about the task `id`.
    pub(super) fn subscribe(&self, subscription: u64, id: &TaskId) {
        self.lock().subscriptions.insert(subscription, id.clone());
    }

    pub(super) fn on_orphan(&self, tell: impl Fn(TaskId) + Send + 'static) {
        self.lock().orphans = Some(Box::new(tell));
    }

    pub(super) fn orphan(&self, id: TaskId) {
        if let Some(tell) = &self.lock().orphans {
            tell(id);
        }
    }

    pub(super) fn tell(&self, id: &TaskId, news: &News) {
        for reader in self.lock().by_task.get(id).into_iter().flatten() {
            let _ = reader.send(news.clone());
        }
    }

    /// `notifications/tasks` or `notifications/tasks/status`.
    pub(super) fn state(&self, params: Value) {
        let Value::Object(params) = params else {
            return;
        };
        match task::read(params) {
            Ok(snapshot) => {
                let id = snapshot.task.id.clone();
                self.tell(&id, &News::State(Box::new(snapshot)));
            }
            Err(why) => tracing::warn!("a notification about a task cannot be read: {why}"),
        }
    }

    /// `notifications/subscriptions/acknowledged`: granted is what it repeats of the filter.
    pub(super) fn acknowledged(&self, params: &Value) {
        let Some(subscription) = params["_meta"][key::SUBSCRIPTION_ID].as_u64() else {
            return;
        };
        let Some(id) = self.lock().subscriptions.remove(&subscription) else {
            return;
        };
        let granted = params["notifications"]["taskIds"].as_array();
        if granted.is_some_and(|granted| granted.iter().any(|granted| granted == id.as_str())) {
            self.tell(&id, &News::Subscribed);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Readers> {
        lock(&self.0)
    }
}

/// Reads the news of one task, until it is dropped.
pub(super) struct Reader {
    desk: Arc<Mutex<Readers>>,
    id: TaskId,
    news: mpsc::UnboundedReceiver<News>,
}

impl Reader {
    /// The next news; never if there is none.
    pub(super) async fn next(&mut self) -> News {
        match self.news.recv().await {
            Some(news) => news,
            None => std::future::pending().await,
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.news.close();
        let mut readers = lock(&self.desk);
        let Some(others) = readers.by_task.get_mut(&self.id) else {
            return;
        };
        others.retain(|reader| !reader.is_closed());
        if others.is_empty() {
            readers.by_task.remove(&self.id);
            readers.subscriptions.retain(|_, task| *task != self.id);
        }
    }
}

fn lock(readers: &Mutex<Readers>) -> MutexGuard<'_, Readers> {
    readers.lock().unwrap_or_else(PoisonError::into_inner)
}
