//! A task store that fails: the caller is told, and no task is left hanging.

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use mcp_tasks::TaskId;
use mcp_tasks::prelude::*;
use mcp_tasks::store::{
    Changes, Cursor, MemoryStore, Millis, Owner, Record, StoreError, Swap, TaskStatus, TaskStore,
    Version,
};
use mcp_tasks::testing::ClientKind;
use serde_json::{Value, json};
use tests::session::{Session, TASK_CLIENTS, text};
use tests::tools::{Probe, ask, echo, nap};

use ClientKind::{CoreTasks, TasksExtension};

type Fails = Box<dyn FnMut(Operation<'_>) -> bool + Send>;

/// What a store is asked for.
enum Operation<'a> {
    Insert,
    Get,
    Swap(&'a Record),
    List,
}

/// Keeps tasks in memory, when it does not fail.
#[derive(Clone, Default)]
struct Moody {
    tasks: Arc<MemoryStore>,
    mood: Arc<Mutex<Option<(Fails, usize)>>>,
    failed: Arc<AtomicUsize>,
}

type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

impl Moody {
    /// The next `times` operations that `fails` picks fail.
    fn fail(&self, times: usize, fails: impl FnMut(Operation<'_>) -> bool + Send + 'static) {
        *self.mood.lock().unwrap() = Some((Box::new(fails), times));
    }

    fn failed(&self) -> usize {
        self.failed.load(Ordering::SeqCst)
    }

    fn check<'a, T: Send + 'a>(
        &self,
        operation: Operation<'_>,
        answer: Answer<'a, T>,
    ) -> Answer<'a, T> {
        let mut mood = self.mood.lock().unwrap();
        if let Some((fails, times)) = &mut *mood
            && *times > 0
            && fails(operation)
        {
            *times -= 1;
            self.failed.fetch_add(1, Ordering::SeqCst);
            return Box::pin(async { Err(StoreError("secret-host is away".into())) });
        }
        answer
    }
}

impl TaskStore for Moody {
    fn insert(&self, record: Arc<Record>) -> Answer<'_, ()> {
        self.check(Operation::Insert, self.tasks.insert(record))
    }

    fn get<'a>(&'a self, id: &'a TaskId) -> Answer<'a, Option<Arc<Record>>> {
        self.check(Operation::Get, self.tasks.get(id))
    }

    fn swap(&self, expected: Version, new: Arc<Record>) -> Answer<'_, Swap> {
        let answer = self.tasks.swap(expected, Arc::clone(&new));
        self.check(Operation::Swap(&new), answer)
    }

    fn list<'a>(
        &'a self,
        owner: &'a Owner,
        after: Option<&'a TaskId>,
        limit: usize,
    ) -> Answer<'a, Vec<Arc<Record>>> {
        self.check(Operation::List, self.tasks.list(owner, after, limit))
    }

    fn take_expired(&self, now: Millis, limit: usize) -> Answer<'_, Vec<Arc<Record>>> {
        self.tasks.take_expired(now, limit)
    }

    fn next_deadline(&self) -> Answer<'_, Option<Millis>> {
        self.tasks.next_deadline()
    }

    fn changes(&self, after: Cursor) -> Answer<'_, Changes> {
        self.tasks.changes(after)
    }
}

fn server() -> (Server, Moody, Probe) {
    let (store, probe) = (Moody::default(), Probe::default());
    let server = Server::new("moody")
        .tools(tools![echo, nap, ask])
        .state(probe.clone())
        .store(store.clone());
    (server, store, probe)
}

fn assert_nothing_leaked(client: &Session) {
    let said = format!("{:?}", client.transcript());
    assert!(!said.contains("secret-host"), "{said}");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_cannot_be_stored_is_not_made_and_its_body_never_starts() {
    for kind in TASK_CLIENTS {
        let (server, store, probe) = server();
        let mut client = Session::open(&server, kind).await;
        store.fail(1, |operation| matches!(operation, Operation::Insert));
        let id = client.start_call("nap", json!({ "millis": 1 })).await;
        let error = client.response(&id).await.unwrap_err();
        assert_eq!(error.code, -32603, "{kind}");
        assert_eq!(error.message, "the task store failed", "{kind}");
        assert_eq!(probe.started(), 0, "{kind}");
        assert_nothing_leaked(&client);
        assert_eq!(
            client.call("nap", json!({ "millis": 1 })).await.text(),
            "rested",
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_cannot_be_read_is_an_internal_error() {
    for (kind, methods) in [
        (
            TasksExtension,
            ["tasks/get", "tasks/cancel", "tasks/update"],
        ),
        (CoreTasks, ["tasks/get", "tasks/cancel", "tasks/result"]),
    ] {
        let (server, store, _) = server();
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("nap", json!({ "millis": 5_000 })).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        for method in methods {
            store.fail(1, |operation| matches!(operation, Operation::Get));
            let params = json!({ "taskId": task["taskId"], "inputResponses": {} });
            let error = client.request(method, params).await.unwrap_err();
            assert_eq!(error.code, -32603, "{kind}: {method}");
        }
        if kind == CoreTasks {
            store.fail(1, |operation| matches!(operation, Operation::List));
            let error = client.request("tasks/list", Value::Null).await.unwrap_err();
            assert_eq!(error.code, -32603, "{kind}");
        }
        assert_nothing_leaked(&client);
        client.get_until(&task, "completed").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_outlasts_a_store_that_is_away_for_a_moment() {
    for kind in TASK_CLIENTS {
        let (server, store, _) = server();
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("nap", json!({ "millis": 100 })).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        store.fail(2, |operation| matches!(operation, Operation::Swap(_)));
        client.get_until(&task, "completed").await;
        assert_eq!(store.failed(), 2, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_that_the_store_never_takes_fails_the_task() {
    for kind in TASK_CLIENTS {
        let (server, store, _) = server();
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("nap", json!({ "millis": 100 })).await;
        store.fail(usize::MAX, |operation| {
            matches!(operation, Operation::Swap(record) if record.status == TaskStatus::Completed)
        });
        let ended = client.get_until(&task, "failed").await;
        assert_eq!(
            ended["statusMessage"], "the task store failed",
            "{kind}: {ended}"
        );
        if kind == CoreTasks {
            let error = client.about("tasks/result", &task).await.unwrap_err();
            assert_eq!(error.code, -32603, "{error}");
        } else {
            assert_eq!(ended["error"]["code"], -32603, "{ended}");
        }
        assert_nothing_leaked(&client);
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_start_the_store_never_takes_fails_and_its_body_never_starts() {
    for kind in TASK_CLIENTS {
        let (server, store, probe) = server();
        let mut client = Session::open(&server, kind).await;
        store.fail(usize::MAX, |operation| {
            matches!(operation, Operation::Swap(record) if record.status == TaskStatus::Working)
        });
        let task = client.start_task("nap", json!({ "millis": 100 })).await;
        let ended = client.get_until(&task, "failed").await;
        assert_eq!(
            ended["statusMessage"], "the task store failed",
            "{kind}: {ended}"
        );
        assert_eq!(probe.started(), 0, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_starts_once_its_store_is_back() {
    for kind in TASK_CLIENTS {
        let (server, store, _) = server();
        let mut client = Session::open(&server, kind).await;
        store.fail(2, |operation| matches!(operation, Operation::Swap(_)));
        let outcome = client.call("nap", json!({ "millis": 100 })).await;
        assert_eq!(outcome.text(), "rested", "{kind}");
        assert_eq!(store.failed(), 2, "{kind}");
    }
}

/// The change was announced once: whoever could not read it then has to look again.
#[tokio::test(start_paused = true)]
async fn an_answer_reaches_a_body_whose_store_was_away_when_it_came() {
    let (server, store, _) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    let task = client.start_task("ask", json!({})).await;
    client.get_until(&task, "input_required").await;
    // The update reads the record twice; the next to read it is the runner.
    let mut reads = 0;
    store.fail(1, move |operation| {
        reads += usize::from(matches!(operation, Operation::Get));
        reads == 3
    });
    let answer = json!({ "action": "accept", "content": { "name": "Ada" } });
    client
        .update(&task, json!({ "name": answer }))
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(store.failed(), 1);
    let ended = client.get_until(&task, "completed").await;
    assert_eq!(text(&ended["result"]), "Hello, Ada!");
}

#[tokio::test(start_paused = true)]
async fn a_subscription_outlasts_a_store_that_is_away_for_a_moment() {
    let (server, store, _) = server();
    let mut client = Session::open(&server, TasksExtension).await;
    let task = client.start_task("nap", json!({ "millis": 5_000 })).await;
    let filter = json!({ "notifications": { "taskIds": [task["taskId"]] } });
    client.start("subscriptions/listen", filter).await;
    client.notification("notifications/tasks").await;
    tokio::time::sleep(Duration::from_millis(4_950)).await;
    store.fail(1, |operation| matches!(operation, Operation::Get));
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(store.failed(), 1);
    let told = client.leftovers().await;
    let last = told.last().map(|message| &message["params"]["status"]);
    assert_eq!(last, Some(&json!("completed")), "{told:?}");
}
