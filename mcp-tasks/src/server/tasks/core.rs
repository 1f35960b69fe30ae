//! `tasks/get`, `tasks/result`, `tasks/list` and `tasks/cancel` of 2025-11-25. All but the last are the draft's
//! methods too: a task is told of in its own dialect.

use std::sync::Arc;

use super::super::outlet::Outlet;
use super::super::peer::{Activity, Peer};
use super::super::reply::Reply;
use super::{answer, answer_about, draft, expired, find, lookup_failed, not_found, store_failed};
use crate::model::cancel::CancelReason;
use crate::model::error::RpcError;
use crate::model::principal::Owner;
use crate::model::task::TaskId;
use crate::task::record::{Dialect, Event, Record};
use crate::task::{LookupError, Rejected, SubmitError};
use crate::wire;
use crate::wire::Frame;
use crate::wire::core_tasks::{self, Listed};
use crate::wire::envelope::{Params, RequestId};

/// Tasks on one page of `tasks/list`.
const PAGE: usize = 50;

pub(in crate::server) fn get(reply: Reply, params: &Params<'_>) {
    answer_about(reply, params, Activity::Lookup, async |peer, id, task| {
        if let Some(record) = draft::find(&peer, &task).await? {
            return Ok(wire::draft::task(&id, &record.snapshot()).into());
        }
        let record = find(&peer, &task, Dialect::Core).await?;
        Ok(core_tasks::task(&id, &record.snapshot()).into())
    });
}

pub(in crate::server) fn cancel(reply: Reply, params: &Params<'_>) {
    answer_about(reply, params, Activity::Lookup, async |peer, id, task| {
        let record = try_cancel(&peer, &task).await?;
        Ok(core_tasks::task(&id, &record.snapshot()).into())
    });
}

/// Cancelled before the reply, and for good; a task that has ended cannot be ("Task Cancellation").
async fn try_cancel(peer: &Peer, id: &TaskId) -> Result<Arc<Record>, RpcError> {
    find(peer, id, Dialect::Core).await?;
    let event = Event::Cancel(CancelReason::Requested);
    match peer.core.engine().submit(id, event).await {
        Err(SubmitError::Rejected(Rejected::Terminal(_), record)) => {
            let status = core_tasks::status_name(&record.snapshot());
            let text = format!("Cannot cancel task: already in terminal status '{status}'");
            Err(RpcError::invalid_params(text))
        }
        Ok(record) | Err(SubmitError::Rejected(_, record)) => {
            // Its runner would learn of it from the store's feed, and might speak until then.
            if let Some(run) = peer.core.task_runs.get(id) {
                run.silence(CancelReason::Requested);
            }
            Ok(record)
        }
        Err(SubmitError::Gone) => Err(expired()),
        Err(SubmitError::Store(error)) => Err(store_failed(&error)),
    }
}

/// Blocks until the task has ended ("Result Retrieval"), unless it is one of the draft. What the task has to say until then is said here, and
/// questions that were lost with their stream are asked again.
pub(in crate::server) fn result(reply: Reply, params: &Params<'_>) {
    let outlet = Arc::clone(reply.outlet());
    answer_about(
        reply,
        params,
        Activity::Wait,
        async move |peer, id, task| {
            if let Some(record) = draft::find(&peer, &task).await? {
                return draft::result(&peer, &id, &record);
            }
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
    let mut watch = peer.core.engine().watch(id);
    let mut newly = true;
    loop {
        let record = match peer.core.engine().get(&peer.owner, id).await {
            Ok(record) if record.dialect == Dialect::Core => record,
            Ok(_) => return Err(not_found()),
            // An answer that was in time may yet keep it. If none does, its removal is a change as well.
            Err(LookupError::Expired) if !is_gone(peer, id).await? => {
                watch.changed().await;
                continue;
            }
            Err(error) => return Err(lookup_failed(&error)),
        };
        if record.status.is_terminal() {
            return Ok(record);
        }
        if let Some(run) = peer.core.task_runs.get(id) {
            run.heard_on(peer, outlet, newly);
            newly = false;
        }
        watch.changed().await;
    }
}

async fn is_gone(peer: &Peer, id: &TaskId) -> Result<bool, RpcError> {
    let gone = peer.core.engine().is_gone(id).await;
    gone.map_err(|error| store_failed(&error))
}

pub(in crate::server) fn list(reply: Reply, params: &Params<'_>, may_list_core: bool) {
    let after = params.cursor().and_then(|cursor| match cursor {
        None => Ok(None),
        Some(cursor) => core_tasks::read_cursor(&cursor)
            .map(Some)
            .ok_or_else(|| RpcError::invalid_params("unknown cursor")),
    });
    match after {
        Err(error) => reply.error(&error),
        Ok(after) => answer(reply, Activity::Lookup, async move |peer, id| {
            let mut page = Page {
                records: Vec::new(),
                after,
            };
            if peer.has_drafts() {
                page.fill(&peer, &peer.draft_owner(), Dialect::Draft)
                    .await?;
            }
            if may_list_core {
                page.fill(&peer, &peer.owner, Dialect::Core).await?;
            }
            Ok(page.render(&id).into())
        }),
    }
}

/// One page of tasks: a session's own of the draft, then its owner's of 2025-11-25.
struct Page {
    records: Vec<Arc<Record>>,
    /// The last task seen.
    after: Option<TaskId>,
}

impl Page {
    /// Takes in an owner's tasks of this dialect, as many as there is room for.
    async fn fill(&mut self, peer: &Peer, owner: &Owner, dialect: Dialect) -> Result<(), RpcError> {
        // A cursor names a task of the one kind or of the other.
        let is_draft = |id: &TaskId| wire::draft::is_draft(id);
        let mut after = match &self.after {
            Some(id) if is_draft(id) != (dialect == Dialect::Draft) => {
                if dialect == Dialect::Draft {
                    return Ok(());
                }
                None
            }
            after => after.clone(),
        };
        while self.records.len() < PAGE {
            let more = peer.core.engine().list(owner, after.as_ref(), PAGE).await;
            let more = more.map_err(|error| store_failed(&error))?;
            let exhausted = more.len() < PAGE;
            for record in more {
                after = Some(record.id.clone());
                self.after.clone_from(&after);
                if record.dialect == dialect && peer.core.is_announced(&record).await {
                    self.records.push(record);
                }
                if self.records.len() == PAGE {
                    return Ok(());
                }
            }
            if exhausted {
                return Ok(());
            }
        }
        Ok(())
    }

    fn render(&self, id: &RequestId) -> Frame {
        let is_full = self.records.len() == PAGE;
        let next = self.after.as_ref().filter(|_| is_full);
        let tasks: Vec<_> = self.records.iter().map(|record| listed(record)).collect();
        core_tasks::list(id, &tasks, next.map(core_tasks::cursor).as_deref())
    }
}

fn listed(record: &Record) -> Listed<'_> {
    match record.dialect {
        Dialect::Draft => Listed::Draft(record.snapshot()),
        _ => Listed::Core(record.snapshot()),
    }
}
