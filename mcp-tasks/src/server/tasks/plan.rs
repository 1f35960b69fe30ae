//! Whether a call within a legacy session asks to be a task.

use std::time::Duration;

use crate::model::error::RpcError;
use crate::model::tool::TaskSupport;
use crate::server::core::BuiltTool;
use crate::server::peer::Peer;
use crate::server::run::{Plan, TaskKind};
use crate::wire::envelope::Params;
use crate::wire::meta::Meta;
use crate::wire::{Revision, draft};

/// The task that a call asks for, by `task` or in its `_meta`.
pub(in crate::server) fn plan(
    tool: &BuiltTool,
    params: &Params<'_>,
    meta: &Meta<'_>,
    peer: &Peer,
    revision: Revision,
) -> Result<Option<Plan>, RpcError> {
    match core_plan(tool, params, revision, peer.core.offer.tasks)? {
        Some(plan) => Ok(Some(plan)),
        None => draft_plan(tool, meta, peer),
    }
}

/// 2025-11-25 tasks, "Tool-Level Negotiation"; where the server offers no tasks, `task` is ignored.
fn core_plan(
    tool: &BuiltTool,
    params: &Params<'_>,
    revision: Revision,
    offers_tasks: bool,
) -> Result<Option<Plan>, RpcError> {
    if revision < Revision::V2025_11_25 || !offers_tasks {
        return Ok(None);
    }
    match (params.task()?, tool.policy.task) {
        (None, _) => Ok(None),
        (Some(_), TaskSupport::Never) => Err(RpcError::new(
            RpcError::METHOD_NOT_FOUND,
            format!(
                "tool `{}` does not run as a task: call it without `task`",
                tool.name
            ),
        )),
        (Some(ttl), _) => {
            let ttl = ttl.map(Duration::from_millis);
            Ok(Some(Plan::Task(TaskKind::Core(ttl))))
        }
    }
}

/// SEP-1686 rides on any revision that has sessions; a tool that is no task ignores it.
fn draft_plan(tool: &BuiltTool, meta: &Meta<'_>, peer: &Peer) -> Result<Option<Plan>, RpcError> {
    let Some(raw) = meta.draft_task else {
        return Ok(None);
    };
    if tool.policy.task == TaskSupport::Never {
        return Ok(None);
    }
    let task = draft::NewTask::read(raw)?;
    let keep = task.keep_alive.map(Duration::from_millis);
    let id = draft::id(peer.draft_session(), &task.name);
    Ok(Some(Plan::Task(TaskKind::Draft(id, keep))))
}
