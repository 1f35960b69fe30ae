//! Requests of 2025-03-26 to 2025-11-25: a handshake, then everything in its light.

use std::sync::Arc;

use super::caller::Caller;
use super::modern::only_page;
use super::reply::Reply;
use super::{call, methods};
use crate::model::concurrency::lock;
use crate::model::error::RpcError;
use crate::wire::envelope::Params;
use crate::wire::legacy::{self, Hello};
use crate::wire::meta::Meta;
use crate::wire::{Offer, Revision};

/// Answers a request.
pub(super) fn request(
    reply: Reply,
    method: &str,
    params: &Params<'_>,
    meta: Meta<'_>,
    in_batch: bool,
) {
    match method {
        "initialize" if in_batch => {
            reply.error(&RpcError::new(
                RpcError::INVALID_REQUEST,
                "`initialize` cannot be part of a batch",
            ));
        }
        "initialize" => initialize(reply, params),
        "ping" => {
            let frame = legacy::empty(reply.id());
            reply.send(frame);
        }
        _ => {
            let hello = lock(&reply.peer().session).hello.clone();
            match hello {
                Some(hello) => in_session(reply, method, params, meta, &hello),
                None => reply.error(&RpcError::new(
                    RpcError::INVALID_REQUEST,
                    "no protocol revision is agreed: send `initialize` first, or name one in \
                     `_meta[\"io.modelcontextprotocol/protocolVersion\"]`",
                )),
            }
        }
    }
}

fn in_session(reply: Reply, method: &str, params: &Params<'_>, meta: Meta<'_>, hello: &Hello) {
    let core = &reply.peer().core;
    let has_tasks = hello.revision == Revision::V2025_11_25 && core.offer.tasks;
    let may_list_core = has_tasks && reply.peer().may_list_tasks();
    let has_drafts = reply.peer().has_drafts();
    let is_of_tasks = match method {
        "tasks/get" | "tasks/result" => has_tasks || has_drafts,
        "tasks/list" => may_list_core || has_drafts,
        "tasks/delete" => has_drafts,
        "tasks/cancel" => has_tasks,
        _ => false,
    };
    match method {
        "tools/list" => match only_page(params) {
            Ok(()) => {
                let revision = hello.revision;
                let caller = || Caller::new(&reply, revision, hello.capabilities);
                let frame = core.with_tool_list(revision, caller, |list| {
                    legacy::tools_list(reply.id(), list)
                });
                reply.send(frame);
            }
            Err(error) => reply.error(&error),
        },
        "tools/call" => call::legacy(reply, params, meta, hello),
        "logging/setLevel" => match params.level() {
            Ok(level) => {
                lock(&reply.peer().session).log_level = Some(level);
                let frame = legacy::empty(reply.id());
                reply.send(frame);
            }
            Err(error) => reply.error(&error),
        },
        method if is_of_tasks => {
            let tasks = core.tasks().tools;
            (tasks.legacy)(reply, method, params, may_list_core);
        }
        _ => methods::legacy(reply, method, params, hello),
    }
}

fn initialize(reply: Reply, params: &Params<'_>) {
    match legacy::hello(params) {
        Ok(hello) => {
            let peer = Arc::clone(reply.peer());
            let offer = Offer {
                task_list: peer.may_list_tasks(),
                ..peer.core.offer.clone()
            };
            let frame = legacy::initialized(reply.id(), hello.revision, &offer);
            lock(&peer.session).hello = Some(hello);
            reply.send(frame);
            if let Some(live) = &peer.core.live {
                live.tell(&peer);
            }
        }
        Err(error) => reply.error(&error),
    }
}
