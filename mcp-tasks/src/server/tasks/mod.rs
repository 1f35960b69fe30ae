//! The methods of tasks, in each dialect: look the task up, move it, render it.

pub(super) mod core;
pub(super) mod extension;

use std::borrow::Cow;
use std::sync::Arc;

use super::reply::Reply;
use crate::model::error::RpcError;
use crate::model::task::TaskId;
use crate::task::record::{Dialect, Record};
use crate::task::{LookupError, StoreError};
use crate::wire::Frame;
use crate::wire::envelope::Params;

/// Runs `work` with the reply, off the thread that reads. A store that never comes back does not hold up the
/// end of the connection.
fn spawn<F: Future<Output = ()> + Send + 'static>(reply: Reply, work: impl FnOnce(Reply) -> F) {
    let peer = Arc::clone(reply.peer());
    let work = work(reply);
    let closing = peer.closing.clone();
    peer.runtime.spawn(async move {
        tokio::select! {
            biased;
            () = work => {}
            () = closing.cancelled() => {}
        }
    });
}

fn respond(reply: Reply, answer: Result<Frame, RpcError>) {
    match answer {
        Ok(frame) => reply.send(frame),
        Err(error) => reply.error(&error),
    }
}

fn task_id(params: &Params<'_>) -> Result<TaskId, RpcError> {
    params
        .task_id()
        .map(|id: Cow<'_, str>| TaskId::new(id.as_ref()))
}

/// The caller's task of this dialect; one of another owner or dialect is an unknown one.
async fn find(reply: &Reply, id: &TaskId, dialect: Dialect) -> Result<Arc<Record>, RpcError> {
    let peer = reply.peer();
    match peer.core.engine.get(&peer.owner, id).await {
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

/// The store's own words may name hosts and paths: they go to the log alone.
pub(super) fn store_failed(error: &StoreError) -> RpcError {
    tracing::error!(%error, "the task store failed");
    RpcError::internal("the task store failed")
}
