//! Inline calls of 2026-07-28 that asked something: they wait here until the client comes back with answers.

use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use super::call::Request;
use super::core::POISON;
use super::peer::Activity;
use super::reply::Reply;
use super::run::Run;
use crate::model::error::RpcError;
use crate::model::principal::Owner;

/// A parked call, and what a retry must repeat.
pub(crate) struct Parked {
    pub(super) run: Arc<Run>,
    pub(super) owner: Owner,
    pub(super) arguments: Option<Box<RawValue>>,
}

/// Attaches the retry to the run that `handle` names. The handle is used up only if all that it is bound to
/// is the same.
pub(super) fn take_up(
    reply: Reply,
    handle: &str,
    retry: Request<'_>,
) -> Result<(), (Reply, RpcError)> {
    let peer = Arc::clone(reply.peer());
    let core = &peer.core;
    let run = {
        let parked = core.parked.lock().expect(POISON);
        match parked.get(handle) {
            Some(call) if bound_to(call, &retry, &peer.owner) => Arc::clone(&call.run),
            // One answer for all, so that a handle cannot be probed.
            _ => return Err((reply, unknown())),
        }
    };
    let reply = peer.list(reply, Activity::Call(Arc::clone(&run)))?;
    // Whoever takes the entry out owns the handle; a second retry finds nothing.
    if core.parked.lock().expect(POISON).remove(handle).is_none() {
        return Err((reply, unknown()));
    }
    run.take_up(reply, retry)
        .map_err(|reply| (reply, unknown()))
}

fn unknown() -> RpcError {
    RpcError::invalid_params("unknown or expired requestState")
}

fn bound_to(call: &Parked, retry: &Request<'_>, owner: &Owner) -> bool {
    call.owner == *owner
        && Arc::ptr_eq(&call.run.tool, &retry.tool)
        && same_json(call.arguments.as_deref(), retry.arguments)
}

/// Equal as JSON: a client may write the same arguments in another order or with other spaces.
fn same_json(a: Option<&RawValue>, b: Option<&RawValue>) -> bool {
    let text = |raw: Option<&RawValue>| raw.map_or("{}", RawValue::get).to_owned();
    let (a, b) = (text(a), text(b));
    a == b
        || match (
            serde_json::from_str::<Value>(&a),
            serde_json::from_str::<Value>(&b),
        ) {
            (Ok(a), Ok(b)) => a == b,
            _ => false,
        }
}
