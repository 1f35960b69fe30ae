//! The methods of tasks, in each dialect: look the task up, move it, render it.

pub(super) mod core;
pub(super) mod draft;
pub(super) mod extension;
mod plan;
#[cfg(all(test, feature = "testing"))]
mod tests;

pub(super) use self::plan::plan;

use std::borrow::Cow;
use std::sync::Arc;

use super::at_once::poll_once;
use super::peer::{Activity, Peer, closes};
use super::reply::Reply;
use crate::context::Stop;
use crate::model::BoxFuture;
use crate::model::cancel::CancelReason;
use crate::model::concurrency::spawn;
use crate::model::error::RpcError;
use crate::model::task::TaskId;
use crate::task::record::{Dialect, Record};
use crate::task::{LookupError, StoreError};
use crate::wire::Message;
use crate::wire::envelope::{Params, RequestId};

/// Answers a method of 2026-07-28's: `tasks/get`, `tasks/update` or `tasks/cancel`.
pub(super) fn modern(reply: Reply, method: &str, params: &Params<'_>) {
    match method {
        "tasks/get" => extension::get(reply, params),
        "tasks/update" => extension::update(reply, params),
        _ => extension::cancel(reply, params),
    }
}

/// Answers a method of a legacy session's: `tasks/get`, `tasks/result`, `tasks/list`, `tasks/delete` or `tasks/cancel`.
pub(super) fn legacy(reply: Reply, method: &str, params: &Params<'_>, may_list_core: bool) {
    match method {
        "tasks/get" => core::get(reply, params),
        "tasks/result" => core::result(reply, params),
        "tasks/list" => core::list(reply, params, may_list_core),
        "tasks/delete" => draft::delete(reply, params),
        _ => core::cancel(reply, params),
    }
}

/// Answers with what `work` comes to, unless the request is cancelled first: off the thread that reads, but for what the
/// memory of this process answers at once.
fn answer<F>(
    reply: Reply,
    activity: fn(Arc<Stop>) -> Activity,
    work: impl FnOnce(Arc<Peer>, RequestId) -> F,
) where
    F: Future<Output = Result<Message, RpcError>> + Send + 'static,
{
    let work = work(Arc::clone(reply.peer()), reply.id().clone());
    answer_boxed(reply, activity, Box::pin(work));
}

/// Once for all methods, whose own types are gone here.
fn answer_boxed(
    reply: Reply,
    activity: fn(Arc<Stop>) -> Activity,
    work: BoxFuture<'static, Result<Message, RpcError>>,
) {
    let peer = Arc::clone(reply.peer());
    let stop = Arc::new(Stop::default());
    let reply = match peer.list(reply, activity(Arc::clone(&stop))) {
        Ok(reply) => reply,
        Err((reply, error)) => return reply.error(&error),
    };
    // What another store takes, nobody knows; of a batch, whoever took it in is not done.
    let may_be_at_once = peer.core.keeps_tasks_in_memory && !reply.is_of_batch();
    let at_once = peer.at_once.get().filter(|_| may_be_at_once);
    let answering = async move {
        tokio::select! {
            biased;
            answer = work => match answer {
                Ok(message) => reply.send(message),
                Err(error) => reply.error(&error),
            },
            () = stop.token().cancelled() => if stop.reason() == Some(CancelReason::Shutdown) {
                reply.error(&closes());
            },
        }
    };
    match at_once {
        Some(at_once) => poll_once(Box::pin(answering), &**at_once, &peer.runtime),
        None => drop(spawn(&peer.runtime, Box::pin(answering))),
    }
}

/// The same for a request about the task that its parameters name.
fn answer_about<F>(
    reply: Reply,
    params: &Params<'_>,
    activity: fn(Arc<Stop>) -> Activity,
    work: impl FnOnce(Arc<Peer>, RequestId, TaskId) -> F,
) where
    F: Future<Output = Result<Message, RpcError>> + Send + 'static,
{
    match task_id(params) {
        Ok(task) => answer(reply, activity, |peer, id| work(peer, id, task)),
        Err(error) => reply.error(&error),
    }
}

fn task_id(params: &Params<'_>) -> Result<TaskId, RpcError> {
    params
        .task_id()
        .map(|id: Cow<'_, str>| TaskId::new(id.as_ref()))
}

/// The caller's task of this dialect; one of another owner or dialect is an unknown one.
async fn find(peer: &Peer, id: &TaskId, dialect: Dialect) -> Result<Arc<Record>, RpcError> {
    match peer.core.engine().get(&peer.owner, id).await {
        Ok(record) if record.dialect == dialect => Ok(record),
        Ok(_) => Err(not_found()),
        Err(error) => Err(lookup_failed(&error)),
    }
}

fn lookup_failed(error: &LookupError) -> RpcError {
    match error {
        LookupError::Unknown => not_found(),
        LookupError::Expired => expired(),
        LookupError::Store(error) => store_failed(error),
    }
}

fn not_found() -> RpcError {
    RpcError::invalid_params("Failed to retrieve task: Task not found")
}

fn expired() -> RpcError {
    RpcError::invalid_params("Failed to retrieve task: Task has expired")
}

/// What clients are told of a store that fails.
pub(super) const STORE_FAILED: &str = "the task store failed";

/// The store's own words may name hosts and paths: they go to the log alone.
pub(super) fn store_failed(error: &StoreError) -> RpcError {
    tracing::error!(%error, "the task store failed");
    RpcError::internal(STORE_FAILED)
}
