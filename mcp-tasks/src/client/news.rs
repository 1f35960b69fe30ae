//! What servers tell of tasks unasked, for whoever follows them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::mpsc;

use crate::model::task::TaskId;
use crate::wire::client::key;
use crate::wire::client::task::{self, Snapshot};

/// Tasks whose state is kept before anybody reads of them, at most.
const EARLY: usize = 64;

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
    /// States of tasks that nobody reads of yet, the latest of each: one may overtake the reply that creates its task.
    early: VecDeque<Box<Snapshot>>,
    /// Told of tasks that nobody waits for.
    orphans: Option<Box<dyn Fn(TaskId) + Send>>,
}

impl NewsDesk {
    /// What is told of `id` from now on, and what was told before it was known.
    pub(super) fn read(&self, id: &TaskId) -> Reader {
        let (sender, news) = mpsc::unbounded_channel();
        let mut desk = self.lock();
        if let Some(early) = desk.take_early(id) {
            let _ = sender.send(News::State(early));
        }
        desk.by_task.entry(id.clone()).or_default().push(sender);
        Reader {
            desk: Arc::clone(&self.0),
            id: id.clone(),
            news,
        }
    }

    /// What was told of `id` by now is older than what will be asked.
    pub(super) fn forget(&self, id: &TaskId) {
        self.lock().take_early(id);
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

    /// `notifications/tasks/status`, which needs no subscription and may come before the task is known.
    pub(super) fn status(&self, params: Value) {
        let Some(mut snapshot) = snapshot(params) else {
            return;
        };
        let mut desk = self.lock();
        let id = snapshot.task.id.clone();
        if let Some(readers) = desk.by_task.get(&id) {
            for reader in readers {
                let _ = reader.send(News::State(snapshot.clone()));
            }
            return;
        }
        // No such notification has them: nothing large is kept.
        snapshot.outcome = None;
        snapshot.questions.clear();
        desk.take_early(&id);
        desk.early.push_back(snapshot);
        if desk.early.len() > EARLY {
            desk.early.pop_front();
        }
    }

    /// `notifications/tasks`.
    pub(super) fn state(&self, params: Value) {
        if let Some(snapshot) = snapshot(params) {
            let id = snapshot.task.id.clone();
            self.tell(&id, &News::State(snapshot));
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

impl Readers {
    fn take_early(&mut self, id: &TaskId) -> Option<Box<Snapshot>> {
        let at = self.early.iter().position(|early| early.task.id == *id)?;
        self.early.remove(at)
    }
}

fn snapshot(params: Value) -> Option<Box<Snapshot>> {
    let Value::Object(params) = params else {
        return None;
    };
    task::read(params)
        .inspect_err(|why| tracing::warn!("a notification about a task cannot be read: {why}"))
        .ok()
        .map(Box::new)
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
