//! `tasks/get`, `tasks/result`, `tasks/list` and `tasks/cancel` of 2025-11-25.

use std::sync::Arc;

use super::super::outlet::Outlet;
use super::super::peer::{Activity, Peer};
use super::super::reply::Reply;
use super::{answer, answer_about, expired, find, store_failed};
use crate::model::cancel::CancelReason;
use crate::model::error::RpcError;
use crate::model::task::TaskId;
use crate::task::record::{Dialect, Event, Record};
use crate::task::{Rejected, SubmitError};
use crate::wire::core_tasks;
use crate::wire::envelope::Params;

/// Tasks on one page of `tasks/list`.
const PAGE: usize = 50;

pub(in crate::server) fn get(reply: Reply, params: &Params<'_>) {
    answer_about(reply, params, Activity::Lookup, async |peer, id, task| {
        let record = find(&peer, &task, Dialect::Core).await?;
        Ok(core_tasks::task(&id, &record.snapshot()))
    });
}

pub(in crate::server) fn cancel(reply: Reply, params: &Params<'_>) {
    answer_about(reply, params, Activity::Lookup, async |peer, id, task| {
        let record = try_cancel(&peer, &task).await?;
        Ok(core_tasks::task(&id, &record.snapshot()))
    });
}

/// Cancelled before the reply, and for good; a task that has ended cannot be ("Task Cancellation").
async fn try_cancel(peer: &Peer, id: &TaskId) -> Result<Arc<Record>, RpcError> {
    find(peer, id, Dialect::Core).await?;
    let event = Event::Cancel(CancelReason::Requested);
    match peer.core.engine.submit(id, event).await {
        Err(SubmitError::Rejected(Rejected::Terminal(_), record)) => {
            let status = core_tasks::status_name(&record.snapshot());
            let text = format!("Cannot cancel task: already in terminal status '{status}'");
            Err(RpcError::invalid_params(text))
        }
        Ok(record) | Err(SubmitError::Rejected(_, record)) => {
            // Its runner would learn of it from the store's feed, and might speak until then.
            if let Some(run) = peer.core.task_run(id) {
                run.silence(CancelReason::Requested);
            }
            Ok(record)
        }
        Err(SubmitError::Gone) => Err(expired()),
        Err(SubmitError::Store(error)) => Err(store_failed(&error)),
    }
}

/// Blocks until the task has ended ("Result Retrieval"). What the task has to say until then is said here, and
/// questions that were lost with their stream are asked again.
pub(in crate::server) fn result(reply: Reply, params: &Params<'_>) {
    let outlet = Arc::clone(reply.outlet());
    answer_about(
        reply,
        params,
        Activity::Wait,
        async move |peer, id, task| {
            let record = until_ended(&peer, &outlet, &task).await?;
            Ok(core_tasks::result(&id, &record.snapshot()))
        },
    );
}

async fn until_ended(
    peer: &Arc<Peer>,
    outlet: &Arc<dyn Outlet>,
    id: &TaskId,
) -> Result<Arc<Record>, RpcError> {
    // Registered before the first read, so that no change falls between.
    let mut watch = peer.core.engine.watch(id);
    let mut newly = true;
    loop {
        let record = find(peer, id, Dialect::Core).await?;
        if record.status.is_terminal() {
            return Ok(record);
        }
        if let Some(run) = peer.core.task_run(id) {
            run.heard_on(peer, outlet, newly);
            newly = false;
        }
        watch.changed().await;
    }
}

pub(in crate::server) fn list(reply: Reply, params: &Params<'_>) {
    let after = params.cursor().and_then(|cursor| match cursor {
        None => Ok(None),
        Some(cursor) => core_tasks::read_cursor(&cursor)
            .map(Some)
            .ok_or_else(|| RpcError::invalid_params("unknown cursor")),
    });
    match after {
        Err(error) => reply.error(&error),
        Ok(after) => answer(reply, Activity::Lookup, async move |peer, id| {
            let (records, next) = page(&peer, after).await?;
            let tasks: Vec<_> = records.iter().map(|record| record.snapshot()).collect();
            Ok(core_tasks::list(&id, &tasks, next.as_deref()))
        }),
    }
}

/// One page of the owner's tasks of this dialect, and the cursor to the next.
async fn page(
    peer: &Peer,
    mut after: Option<TaskId>,
) -> Result<(Vec<Arc<Record>>, Option<String>), RpcError> {
    let mut page = Vec::new();
    loop {
        let more = peer
            .core
            .engine
            .list(&peer.owner, after.as_ref(), PAGE)
            .await;
        let more = more.map_err(|error| store_failed(&error))?;
        let exhausted = more.len() < PAGE;
        for record in more {
            after = Some(record.id.clone());
            if record.dialect == Dialect::Core && peer.core.is_announced(&record).await {
                page.push(record);
            }
            if page.len() == PAGE {
                return Ok((page, after.as_ref().map(core_tasks::cursor)));
            }
        }
        if exhausted {
            return Ok((page, None));
        }
    }
}
