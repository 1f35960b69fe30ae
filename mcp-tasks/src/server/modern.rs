//! Requests of 2026-07-28: every one stands alone.

use super::caller::Caller;
use super::exchange::Headers;
use super::reply::Reply;
use super::{call, listen, methods};
use crate::model::capability::Capability;
use crate::model::error::RpcError;
use crate::wire::envelope::Params;
use crate::wire::meta::{ModernMeta, missing_capability};
use crate::wire::{Revision, modern};

/// Methods that no older revision has: they are modern even without metadata, so that its absence is the error.
pub(crate) fn is_modern_method(method: &str) -> bool {
    matches!(method, "server/discover" | "subscriptions/listen")
}

/// Answers a request. The checks come in the order of the specification: metadata (by now), method, capability,
/// parameters.
pub(super) fn request(
    reply: Reply,
    method: &str,
    params: &Params<'_>,
    meta: ModernMeta,
    headers: &dyn Headers,
) {
    let core = &reply.peer().core;
    match method {
        "server/discover" => {
            let frame = modern::discover(reply.id(), &core.offer);
            reply.send(frame);
        }
        "tools/list" => match only_page(params) {
            Ok(()) => {
                let revision = Revision::V2026_07_28;
                let caller = || Caller::new(&reply, revision, meta.capabilities);
                let frame = core.with_tool_list(revision, caller, |list| {
                    modern::tools_list(reply.id(), list, &core.offer)
                });
                reply.send(frame);
            }
            Err(error) => reply.error(&error),
        },
        "tools/call" => call::modern(reply, params, meta, headers),
        "subscriptions/listen" => listen::listen(reply, params, &meta),
        "tasks/get" | "tasks/update" | "tasks/cancel" if core.offer.tasks => {
            if let Err(error) = declares_tasks(&meta) {
                return reply.error(&error);
            }
            let tasks = core.tasks().tools;
            (tasks.modern)(reply, method, params);
        }
        _ => methods::modern(reply, method, params, &meta),
    }
}

/// Before the id is looked at: an undeclared caller learns nothing of it (tasks extension, "Protocol Errors").
pub(super) fn declares_tasks(meta: &ModernMeta) -> Result<(), RpcError> {
    if meta.capabilities.has(Capability::Tasks) {
        Ok(())
    } else {
        Err(missing_capability(Capability::Tasks))
    }
}

/// Lists are one page, so that no cursor is one of ours.
pub(super) fn only_page(params: &Params<'_>) -> Result<(), RpcError> {
    match params.cursor()? {
        None => Ok(()),
        Some(_) => Err(RpcError::invalid_params("unknown cursor")),
    }
}

pub(super) fn unknown_method(method: &str) -> RpcError {
    let shown: String = method.chars().take(100).collect();
    RpcError::new(
        RpcError::METHOD_NOT_FOUND,
        format!("unknown method: {shown}"),
    )
}
