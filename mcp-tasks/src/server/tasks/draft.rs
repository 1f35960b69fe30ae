//! What the SEP-1686 draft says of a task, in the sessions that have used its key.

use std::sync::Arc;

use super::super::peer::{Activity, Peer};
use super::super::reply::Reply;
use super::{answer_about, lookup_failed, not_found, store_failed};
use crate::model::error::RpcError;
use crate::model::task::{Outcome, TaskId};
use crate::task::record::{Event, Record};
use crate::task::{LookupError, Rejected, SubmitError};
use crate::wire::envelope::{Params, RequestId};
use crate::wire::related::Related;
use crate::wire::{Message, draft, legacy};

/// The task that this session's client calls `name`; `None` is no task of this dialect.
pub(super) async fn find(peer: &Peer, name: &TaskId) -> Result<Option<Arc<Record>>, RpcError> {
    if !peer.has_drafts() {
        return Ok(None);
    }
    let id = draft::id(peer.draft_session(), name.as_str());
    match peer.core.engine().get(&peer.draft_owner(), &id).await {
        Ok(record) => Ok(Some(record)),
        Err(LookupError::Unknown) => Ok(None),
        Err(error) => Err(lookup_failed(&error)),
    }
}

/// The answer to `tasks/result`, which waits for nothing ("Result Retrieval").
pub(super) fn result(peer: &Peer, id: &RequestId, record: &Record) -> Result<Message, RpcError> {
    let revision = peer.revision();
    match (&record.outcome, revision) {
        (Some(Outcome::Result(output)), Some(revision)) => {
            let related = Some(Related::Draft(&record.id));
            Ok(legacy::call_result(id, output, revision, related))
        }
        _ => Err(draft::no_result(record.status)),
    }
}

pub(in crate::server) fn delete(reply: Reply, params: &Params<'_>) {
    answer_about(reply, params, Activity::Lookup, async |peer, id, name| {
        let record = find(&peer, &name).await?.ok_or_else(not_found)?;
        forget(&peer, &record.id).await?;
        Ok(draft::deleted(&id, &record.id).into())
    });
}

/// When this returns, the id is free again: the task is out of the store, and its body, which may still have been winding
/// down, has said its last word.
async fn forget(peer: &Peer, id: &TaskId) -> Result<(), RpcError> {
    let mut watch = peer.core.engine().watch(id);
    match peer.core.engine().submit(id, Event::Delete).await {
        Ok(_) | Err(SubmitError::Gone | SubmitError::Rejected(Rejected::Terminal(_), _)) => {}
        Err(SubmitError::Rejected(_, record)) => return Err(draft::not_deleted(record.status)),
        Err(SubmitError::Store(error)) => return Err(store_failed(&error)),
    }
    if let Some(run) = peer.core.task_runs.get(id) {
        run.ended().await;
    }
    while !peer
        .core
        .engine()
        .is_forgotten(id)
        .await
        .map_err(|error| store_failed(&error))?
    {
        watch.changed().await;
    }
    Ok(())
}
