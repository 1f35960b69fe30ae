//! Stores other than memory: one that takes its time, and one that panics.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mcp_tasks::TaskId;
use mcp_tasks::prelude::*;
use mcp_tasks::store::{
    Changes, Cursor, MemoryStore, Millis, Owner, Record, StoreError, Swap, TaskStore, Version,
};
use serde_json::json;
use tests::session::{Session, TASK_CLIENTS, text};
use tests::tools::{Probe, add, nap};

type Stored<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Memory behind a wait, or behind a panic once `broken` is set.
#[derive(Clone, Default)]
struct Remote {
    memory: Arc<MemoryStore>,
    broken: Arc<AtomicBool>,
    /// The next change panics.
    stumbles: Arc<AtomicBool>,
}

impl Remote {
    fn after<'a, T: 'a>(&'a self, work: Stored<'a, T>) -> Stored<'a, T> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            assert!(!self.broken.load(Ordering::SeqCst), "secret");
            work.await
        })
    }
}

impl TaskStore for Remote {
    fn insert(&self, record: Arc<Record>) -> Stored<'_, ()> {
        self.after(self.memory.insert(record))
    }

    fn get<'a>(&'a self, id: &'a TaskId) -> Stored<'a, Option<Arc<Record>>> {
        self.after(Box::pin(async { self.memory.get(id).await }))
    }

    fn swap(&self, expected: Version, new: Arc<Record>) -> Stored<'_, Swap> {
        self.after(Box::pin(async move {
            assert!(!self.stumbles.swap(false, Ordering::SeqCst), "secret");
            self.memory.swap(expected, new).await
        }))
    }

    fn list<'a>(
        &'a self,
        owner: &'a Owner,
        after: Option<&'a TaskId>,
        limit: usize,
    ) -> Stored<'a, Vec<Arc<Record>>> {
        self.after(self.memory.list(owner, after, limit))
    }

    fn take_expired(&self, now: Millis, limit: usize) -> Stored<'_, Vec<Arc<Record>>> {
        self.memory.take_expired(now, limit)
    }

    fn next_deadline(&self) -> Stored<'_, Option<Millis>> {
        self.memory.next_deadline()
    }

    fn changes(&self, after: Cursor) -> Stored<'_, Changes> {
        self.memory.changes(after)
    }
}

fn server(store: Remote) -> Server {
    Server::new("remote")
        .tools(tools![add, nap])
        .state(Probe::default())
        .store(store)
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_waits_for_what_the_store_looks_up() {
    let server = server(Remote::default());
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("nap", json!({ "millis": 60_000 })).await;
        let mut ids = Vec::new();
        for method in ["tasks/get", "tasks/get", "tasks/cancel"] {
            ids.push(
                client
                    .start(method, json!({ "taskId": task["taskId"] }))
                    .await,
            );
        }
        assert!(client.finish().await.is_ok(), "{kind}");
        for id in ids {
            assert!(client.response(&id).await.is_ok(), "{kind}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_panics_fails_what_needs_it_and_nothing_else() {
    for kind in TASK_CLIENTS {
        let store = Remote::default();
        let server = server(store.clone());
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("nap", json!({ "millis": 60_000 })).await;

        store.broken.store(true, Ordering::SeqCst);
        let id = client.start_call("nap", json!({ "millis": 1 })).await;
        let made = client.response(&id).await;
        let refused =
            made.as_ref().is_err() || made.as_ref().is_ok_and(|made| made["isError"] == true);
        assert!(refused, "{kind}: {made:?}");
        let looked_up = client.about("tasks/get", &task).await;
        assert_eq!(looked_up.unwrap_err().code, -32603, "{kind}");
        let sum = client.call_plainly("add", json!({ "a": 1, "b": 2 })).await;
        assert_eq!(text(&sum.unwrap()), "3", "{kind}");
        assert!(client.finish().await.is_ok(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_end_panics_in_the_store_fails() {
    for kind in TASK_CLIENTS {
        let store = Remote::default();
        let server = server(store.clone());
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("nap", json!({ "millis": 1_000 })).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        store.stumbles.store(true, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_secs(1)).await;
        let ended = client.get(&task).await;
        assert_eq!(ended["status"], "failed", "{kind}: {ended}");
    }
}
