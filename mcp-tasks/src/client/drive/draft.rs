//! A call as the SEP-1686 draft has it: the request is answered as ever, and its task can be looked at besides.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::Driver;
use super::pace::Pace;
use super::under_way::UnderWay;
use crate::client::core::{Ask, Core, set_meta};
use crate::client::error::ClientError;
use crate::client::news::News;
use crate::client::router::{Failure, Kind, notification};
use crate::model::clock::as_millis;
use crate::model::error::RpcError;
use crate::model::id;
use crate::model::remote::{CallResult, Status};
use crate::model::task::TaskId;
use crate::wire::client::key;
use crate::wire::client::task::Snapshot;

/// Makes a task of the request. The client chooses the id.
pub(super) fn mark(ask: &mut Ask, keep: Option<Duration>) -> TaskId {
    let id = id::random();
    let mut task = json!({ "taskId": id });
    if let Some(keep) = keep {
        task["keepAlive"] = as_millis(keep).into();
    }
    set_meta(&mut ask.params, key::DRAFT_TASK, task);
    // What cancels it is told by the guard, which knows whether the call was left to itself.
    ask.kind = Kind::CoreTask;
    TaskId::new(id)
}

enum Event {
    Answered(Result<Value, Failure>),
    Created,
    Look,
    Looked(Result<Snapshot, ClientError>),
    Fetched(Result<CallResult, ClientError>),
    Cancel,
}

/// What looking at the task has come to.
enum Looking {
    /// Nobody knows of it yet.
    Unseen,
    Seen,
    /// It ended without a result, or cannot be looked at.
    Failed,
}

impl Driver {
    /// The first to succeed: the request's own response, or the task's result. It fails when both have.
    pub(super) async fn race_draft(
        &mut self,
        ask: Ask,
        id: &TaskId,
    ) -> Result<CallResult, ClientError> {
        let core = self.core.clone();
        let session = core.session()?;
        let request = core.fresh_id();
        let mut guard = RequestGuard::new(&core, request, id, &self.detached);
        let mut news = core.router.news.read(id);
        let response = core.send(&session, &ask, request);
        tokio::pin!(response);
        let mut answered: Option<ClientError> = None;
        let mut looking = Looking::Unseen;
        let mut look = UnderWay::none();
        let mut fetch = UnderWay::none();
        let mut pace = Pace::new();
        pace.plan();
        let mut cancels = false;
        let cancel = self.cancel.clone();
        loop {
            if let (Some(error), Looking::Failed) = (&answered, &looking) {
                guard.disarm();
                return Err(error.clone());
            }
            let looks = !matches!(looking, Looking::Failed) && look.is_none() && fetch.is_none();
            let event = tokio::select! {
                biased;
                () = cancel.cancelled(), if !cancels => Event::Cancel,
                () = created(&mut news), if matches!(looking, Looking::Unseen) => Event::Created,
                response = &mut response, if answered.is_none() => Event::Answered(response),
                fetched = fetch.outcome() => Event::Fetched(fetched),
                looked = look.outcome() => Event::Looked(looked),
                () = pace.wait(), if looks => Event::Look,
            };
            match event {
                Event::Answered(Ok(Value::Object(result))) => {
                    guard.disarm();
                    return Ok(CallResult::new(result));
                }
                Event::Answered(Ok(_)) => answered = Some(core.broken("the result is no object")),
                Event::Answered(Err(failure)) => {
                    answered = Some(core.error(&self.what, failure));
                    pace.now();
                }
                Event::Created => {
                    looking = Looking::Seen;
                    self.phase.send_modify(|phase| phase.id = Some(id.clone()));
                    pace.now();
                }
                Event::Look => look.begin(core.look(id)),
                Event::Fetched(Ok(result)) => {
                    guard.disarm();
                    return Ok(result);
                }
                Event::Fetched(Err(error)) => {
                    tracing::debug!("the task's result cannot be had: {error}");
                    looking = Looking::Failed;
                }
                Event::Looked(looked) => match looked {
                    Ok(snapshot) => {
                        looking = Looking::Seen;
                        pace.seen(&snapshot.task);
                        self.see(&snapshot.task).await;
                        match self.draft_end(&snapshot) {
                            None => {}
                            Some(Err(error @ ClientError::Cancelled { .. })) => {
                                guard.disarm();
                                return Err(error);
                            }
                            Some(Err(error)) => {
                                tracing::debug!("the task has no result: {error}");
                                looking = Looking::Failed;
                            }
                            Some(Ok(())) => fetch.begin(self.fetch_draft(id)),
                        }
                    }
                    // It may not exist yet, as long as its request is under way.
                    Err(error)
                        if is_unknown(&error)
                            && matches!(looking, Looking::Unseen)
                            && answered.is_none() =>
                    {
                        pace.plan();
                    }
                    Err(error) => {
                        if let Err(error) = pace.failed(self.gone(error)) {
                            tracing::debug!("the task cannot be looked at: {error}");
                            looking = Looking::Failed;
                        }
                    }
                },
                Event::Cancel => {
                    cancels = true;
                    guard.cancel();
                    self.acknowledge(Ok(()));
                    if !matches!(looking, Looking::Seen) {
                        return Err(self.cancelled());
                    }
                    pace.now();
                }
            }
        }
    }

    /// Follows a task whose request was made by somebody else.
    pub(super) async fn follow_draft(
        &mut self,
        first: Snapshot,
    ) -> Result<CallResult, ClientError> {
        let core = self.core.clone();
        let id = first.task.id.clone();
        let mut pace = Pace::new();
        let cancel = self.cancel.clone();
        let mut cancels = false;
        let mut look = UnderWay::none();
        let mut fetch = UnderWay::none();
        let mut seen = Some(first);
        loop {
            if let Some(snapshot) = seen.take() {
                pace.seen(&snapshot.task);
                self.see(&snapshot.task).await;
                match self.draft_end(&snapshot) {
                    None => {}
                    Some(Err(error)) => return Err(error),
                    Some(Ok(())) => fetch.begin(self.fetch_draft(&id)),
                }
            }
            tokio::select! {
                () = cancel.cancelled(), if !cancels => {
                    cancels = true;
                    self.acknowledge(Err(ClientError::Unsupported(
                        "a task of the draft is cancelled by whoever made its request alone".to_owned(),
                    )));
                }
                fetched = fetch.outcome() => return fetched,
                () = pace.wait(), if look.is_none() && fetch.is_none() => look.begin(core.look(&id)),
                looked = look.outcome() => match looked {
                    Ok(snapshot) => seen = Some(snapshot),
                    Err(error) => pace.failed(self.gone(error))?,
                },
            }
        }
    }

    /// The result of a completed task.
    fn fetch_draft(
        &self,
        id: &TaskId,
    ) -> impl Future<Output = Result<CallResult, ClientError>> + Send + use<> {
        let fetch = self.core.ask_apart(Ask::about("tasks/result", id));
        let expired = self.expired();
        async move {
            fetch
                .await
                .map(CallResult::new)
                .map_err(|error| if is_unknown(&error) { expired } else { error })
        }
    }

    /// How the task ended, if it has: with a result that `tasks/result` gives, or with none.
    fn draft_end(&self, snapshot: &Snapshot) -> Option<Result<(), ClientError>> {
        let task = &snapshot.task;
        match task.status {
            Status::Completed => Some(Ok(())),
            Status::Cancelled => Some(Err(self.cancelled())),
            Status::Failed | Status::Unknown => {
                let why = task.message.clone();
                let why = why.unwrap_or_else(|| format!("the task is {}", task.status));
                Some(Err(self.failed(RpcError::internal(why))))
            }
            Status::Submitted | Status::Working | Status::InputRequired => None,
        }
    }
}

fn is_unknown(error: &ClientError) -> bool {
    error
        .rpc()
        .is_some_and(|rpc| rpc.code == RpcError::INVALID_PARAMS)
}

async fn created(news: &mut crate::client::news::Reader) {
    while !matches!(news.next().await, News::Created) {}
}

/// Cancels the request where this is dropped before it is told otherwise.
struct RequestGuard {
    core: Arc<Core>,
    request: u64,
    task: TaskId,
    detached: Arc<AtomicBool>,
    armed: bool,
}

impl RequestGuard {
    fn new(core: &Arc<Core>, request: u64, task: &TaskId, detached: &Arc<AtomicBool>) -> Self {
        Self {
            core: Arc::clone(core),
            request,
            task: task.clone(),
            detached: Arc::clone(detached),
            armed: true,
        }
    }

    fn disarm(&mut self) {
        self.armed = false;
    }

    fn cancel(&mut self) {
        if std::mem::take(&mut self.armed) {
            let params = json!({
                "requestId": self.request,
                "reason": "the call was cancelled",
                "_meta": { (key::DRAFT_RELATED_TASK): { "taskId": self.task.as_str() } },
            });
            self.core
                .transport
                .send(notification("notifications/cancelled", &params));
        }
    }
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        if !self.detached.load(Ordering::Relaxed) {
            self.cancel();
        }
    }
}
