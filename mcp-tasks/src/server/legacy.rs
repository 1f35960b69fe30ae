//! Requests of 2025-03-26 to 2025-11-25: a handshake, then everything in its light.

use super::core::POISON;
use super::modern::{only_page, unknown_method};
use super::reply::Reply;
use super::{call, tasks};
use crate::model::error::RpcError;
use crate::wire::envelope::Params;
use crate::wire::legacy::{self, Hello};
use crate::wire::meta::Meta;
use crate::wire::{Revision, modern};

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
            let hello = reply.peer().session.lock().expect(POISON).hello.clone();
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
    match method {
        "tools/list" => match only_page(params) {
            Ok(()) => {
                let frame = legacy::tools_list(reply.id(), core.tool_list(hello.revision));
                reply.send(frame);
            }
            Err(error) => reply.error(&error),
        },
        "tools/call" => call::legacy(reply, params, meta, hello),
        "logging/setLevel" => match params.level() {
            Ok(level) => {
                reply.peer().session.lock().expect(POISON).log_level = Some(level);
                let frame = legacy::empty(reply.id());
                reply.send(frame);
            }
            Err(error) => reply.error(&error),
        },
        "tasks/get" if has_tasks => tasks::core::get(reply, params),
        "tasks/result" if has_tasks => tasks::core::result(reply, params),
        "tasks/list" if has_tasks && core.offer.task_list => tasks::core::list(reply, params),
        "tasks/cancel" if has_tasks => tasks::core::cancel(reply, params),
        _ => reply.error(&unknown_method(method)),
    }
}

fn initialize(reply: Reply, params: &Params<'_>) {
    match legacy::hello(params) {
        Ok(hello) => {
            let frame = legacy::initialized(reply.id(), hello.revision, &reply.peer().core.offer);
            reply.peer().session.lock().expect(POISON).hello = Some(hello);
            reply.send(frame);
        }
        Err(error) => {
            let frame = modern::error(Some(reply.id()), &error);
            reply.send(frame);
        }
    }
}
