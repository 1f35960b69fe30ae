//! Inline calls of 2026-07-28 that asked something: they wait here until the client comes back with answers.

use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use super::call::Request;
use super::gate::Pass;
use super::peer::Activity;
use super::reply::{Refused, Reply};
use super::run::Run;
use crate::model::concurrency::lock;
use crate::model::error::RpcError;
use crate::model::principal::Owner;

/// A parked call, and what a retry must repeat.
pub(crate) struct Parked {
    pub(super) run: Arc<Run>,
    pub(super) owner: Arc<Owner>,
    pub(super) arguments: Option<Box<RawValue>>,
    /// [`resume`], which no program needs that parks no call.
    pub(super) resume: Resume,
    /// Its room among the parked calls, for itself and for its arguments.
    pub(super) _passes: [Pass; 2],
}

pub(super) type Resume = fn(Reply, &str, Request<'_>) -> Result<(), Refused>;

/// Takes up the call that is parked under `handle`.
pub(super) fn take_up(reply: Reply, handle: &str, retry: Request<'_>) -> Result<(), Refused> {
    let parked = lock(&reply.peer().core.parked)
        .get(handle)
        .map(|call| call.resume);
    match parked {
        Some(resume) => resume(reply, handle, retry),
        None => Err((reply, Box::new(unknown()))),
    }
}

/// Attaches the retry to the run that `handle` names. The handle is used up only if all that it is bound to
/// is the same.
pub(super) fn resume(reply: Reply, handle: &str, retry: Request<'_>) -> Result<(), Refused> {
    let peer = Arc::clone(reply.peer());
    let core = &peer.core;
    let run = {
        let parked = lock(&core.parked);
        match parked.get(handle) {
            Some(call) if bound_to(call, &retry, &peer.owner) => Arc::clone(&call.run),
            // One answer for all, so that a handle cannot be probed.
            _ => return Err((reply, Box::new(unknown()))),
        }
    };
    let reply = peer.list(reply, Activity::Call(Arc::clone(&run)))?;
    // The run itself knows whether it still waits: it may have ended, or another retry was first.
    run.take_up(handle, reply, retry)
        .map_err(|reply| (reply, Box::new(unknown())))?;
    lock(&core.parked).remove(handle);
    peer.end_if_closed(&run);
    Ok(())
}

fn unknown() -> RpcError {
    RpcError::invalid_params("unknown or expired requestState")
}

fn bound_to(call: &Parked, retry: &Request<'_>, owner: &Owner) -> bool {
    *call.owner == *owner
        && Arc::ptr_eq(&call.run.tool, &retry.tool)
        && same_json(call.arguments.as_deref(), retry.arguments)
}

/// Equal as JSON: a client may write the same arguments in another order or with other spaces.
fn same_json(a: Option<&RawValue>, b: Option<&RawValue>) -> bool {
    let (a, b) = (object_text(a), object_text(b));
    let value = serde_json::from_str::<Value>;
    a == b || matches!((value(a), value(b)), (Ok(a), Ok(b)) if a == b)
}

fn object_text(raw: Option<&RawValue>) -> &str {
    raw.map_or("{}", RawValue::get)
}
