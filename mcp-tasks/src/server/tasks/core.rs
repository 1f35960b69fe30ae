//! `tasks/get`, `tasks/result`, `tasks/list` and `tasks/cancel` of 2025-11-25.

use std::sync::Arc;

use super::super::peer::Activity;
use super::super::reply::Reply;
use super::{expired, find, respond, spawn, store_failed, task_id};
use crate::context::Stop;
use crate::model::cancel::CancelReason;
use crate::model::error::RpcError;
use crate::model::task::{TaskId, TaskStatus};
use crate::task::record::{Dialect, Event, Record};
use crate::task::{Rejected, SubmitError};
use crate::wire::core_tasks;
use crate::wire::envelope::Params;

/// Tasks on one page of `tasks/list`.
const PAGE: usize = 50;

pub(in crate::server) fn get(reply: Reply, params: &Params<'_>) {
    match task_id(params) {
        Err(error) => reply.error(&error),
        Ok(id) => spawn(reply, |reply| async move {
            let found = find(&reply, &id, Dialect::Core).await;
            let answer = found.map(|record| core_tasks::task(reply.id(), &record.snapshot()));
            respond(reply, answer);
        }),
    }
}

pub(in crate::server) fn cancel(reply: Reply, params: &Params<'_>) {
    match task_id(params) {
        Err(error) => reply.error(&error),
        Ok(id) => spawn(reply, |reply| async move {
            let cancelled = try_cancel(&reply, &id).await;
            let answer = cancelled.map(|record| core_tasks::task(reply.id(), &record.snapshot()));
            respond(reply, answer);
        }),
    }
}

/// Cancelled before the reply, and for good; a task that has ended cannot be ("Task Cancellation").
async fn try_cancel(reply: &Reply, id: &TaskId) -> Result<Arc<Record>, RpcError> {
    find(reply, id, Dialect::Core).await?;
    let event = Event::Cancel(CancelReason::Requested);
    match reply.peer().core.engine.submit(id, event).await {
        Err(SubmitError::Rejected(Rejected::Terminal(_), record)) => {
            let status = core_tasks::status_name(&record.snapshot());
            let text = format!("Cannot cancel task: already in terminal status '{status}'");
            Err(RpcError::invalid_params(text))
        }
        Ok(record) | Err(SubmitError::Rejected(_, record)) => Ok(record),
        Err(SubmitError::Gone) => Err(expired()),
        Err(SubmitError::Store(error)) => Err(store_failed(&error)),
    }
}

/// Blocks until the task has ended ("Result Retrieval"). Questions that wait for an answer and were lost with
/// their stream are asked again on this one.
pub(in crate::server) fn result(reply: Reply, params: &Params<'_>) {
    let id = match task_id(params) {
        Ok(id) => id,
        Err(error) => return reply.error(&error),
    };
    let stop = Arc::new(Stop::default());
    let peer = Arc::clone(reply.peer());
    match peer.list(reply, Activity::Wait(Arc::clone(&stop))) {
        Err((reply, error)) => reply.error(&error),
        Ok(reply) => spawn(reply, |reply| async move {
            tokio::select! {
                biased;
                ended = until_ended(&reply, &id) => {
                    let answer = ended.map(|record| core_tasks::result(reply.id(), &record.snapshot()));
                    respond(reply, answer);
                }
                () = stop.token().cancelled() => if stop.reason() == Some(CancelReason::Shutdown) {
                    let text = "the connection closes before the task has ended";
                    reply.error(&RpcError::internal(text));
                },
            }
        }),
    }
}

async fn until_ended(reply: &Reply, id: &TaskId) -> Result<Arc<Record>, RpcError> {
    let peer = reply.peer();
    // Registered before the first read, so that no change falls between.
    let mut watch = peer.core.engine.watch(id);
    loop {
        let record = find(reply, id, Dialect::Core).await?;
        if record.status.is_terminal() {
            return Ok(record);
        }
        if record.status == TaskStatus::InputRequired
            && let Some(run) = peer.core.task_run(id)
        {
            run.ask_lost_questions_again(peer);
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
        Ok(after) => spawn(reply, |reply| async move {
            let page = page(&reply, after).await;
            let answer = page.map(|(records, next)| {
                let tasks: Vec<_> = records.iter().map(|record| record.snapshot()).collect();
                core_tasks::list(reply.id(), &tasks, next.as_deref())
            });
            respond(reply, answer);
        }),
    }
}

/// One page of the owner's tasks of this dialect, and the cursor to the next.
async fn page(
    reply: &Reply,
    mut after: Option<TaskId>,
) -> Result<(Vec<Arc<Record>>, Option<String>), RpcError> {
    let peer = reply.peer();
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
            if record.dialect == Dialect::Core {
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
