//! From a request of the application's to its handler, and back.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::super::caller::Caller;
use super::super::modern::unknown_method;
use super::super::peer::Activity;
use super::super::reply::Reply;
use super::{Handler, InputRequired, MethodCall, MethodResult};
use crate::context::Stop;
use crate::model::cancel::CancelReason;
use crate::model::concurrency::spawn;
use crate::model::error::RpcError;
use crate::model::input::InputRequest;
use crate::tool::guard::{Panicked, caught};
use crate::wire::envelope::Params;
use crate::wire::legacy::{self, Hello};
use crate::wire::meta::{ModernMeta, missing_capability};
use crate::wire::{Frame, Revision, input, modern};

/// Removed in 2026-07-28, whoever would answer them.
const REMOVED: [&str; 2] = ["resources/subscribe", "resources/unsubscribe"];
/// Results that must say how long they hold (2026-07-28 caching).
const CACHEABLE: [&str; 4] = [
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
];
/// Methods that may ask before they answer, beside `tools/call` (2026-07-28 multi round-trip requests).
const ASKING: [&str; 2] = ["prompts/get", "resources/read"];

/// A request of 2026-07-28 that no method of the server's answers.
pub(super) fn modern(reply: Reply, method: &str, params: &Params<'_>, meta: &ModernMeta) {
    // Before the parameters, as of any method.
    if REMOVED.contains(&method) || reply.peer().core.methods.find(method).is_none() {
        return reply.error(&unknown_method(method));
    }
    let caller = Caller::new(&reply, Revision::V2026_07_28, meta.capabilities);
    let given = params
        .input_responses()
        .and_then(|inputs| Ok((inputs, params.request_state()?)));
    let (inputs, state) = match given {
        Ok(given) => given,
        Err(error) => return reply.error(&error),
    };
    start(reply, method, params, caller, |call| {
        call.inputs = inputs
            .unwrap_or_default()
            .into_iter()
            .map(|(key, raw)| (key.into_owned(), raw.to_owned()))
            .collect();
        call.state = state.map(String::from);
    });
}

/// The same within a legacy session.
pub(super) fn legacy(reply: Reply, method: &str, params: &Params<'_>, hello: &Hello) {
    let caller = Caller::new(&reply, hello.revision, hello.capabilities);
    start(reply, method, params, caller, |_| {});
}

fn start(
    reply: Reply,
    method: &str,
    params: &Params<'_>,
    caller: Caller,
    fill: impl FnOnce(&mut MethodCall),
) {
    let peer = Arc::clone(reply.peer());
    let Some((method, handler)) = peer.core.methods.find(method) else {
        return reply.error(&unknown_method(method));
    };
    let mut call = MethodCall {
        method: Arc::clone(method),
        params: params.whole().map(|raw| raw.to_owned().into()),
        caller,
        inputs: Vec::new(),
        state: None,
    };
    fill(&mut call);
    let stop = Arc::new(Stop::default());
    match peer.list(reply, Activity::Wait(Arc::clone(&stop))) {
        Err((reply, error)) => reply.error(&error),
        Ok(reply) => {
            let serving = serve(reply, Arc::clone(handler), call, stop);
            spawn(&peer.runtime, Box::pin(serving));
        }
    }
}

/// Runs the handler until it answers or is told to stop; a cancelled request gets no response.
async fn serve(reply: Reply, handler: Handler, call: MethodCall, stop: Arc<Stop>) {
    let (method, caller) = (Arc::clone(&call.method), call.caller.clone());
    let answered = tokio::select! {
        biased;
        answered = caught(handler(call)) => answered,
        () = stop.token().cancelled() => {
            if stop.reason() == Some(CancelReason::Shutdown) {
                let text = "the connection closes before the request is answered";
                reply.error(&RpcError::internal(text));
            }
            return;
        }
    };
    let answered = answered.unwrap_or_else(|Panicked(words)| {
        tracing::error!(%method, panic = words, "the method's handler panicked");
        Err(RpcError::internal("the method failed unexpectedly"))
    });
    match answered.and_then(|result| render(&reply, &method, &caller, result)) {
        Ok(frame) => reply.send(frame),
        Err(error) => reply.error(&error),
    }
}

fn render(
    reply: &Reply,
    method: &str,
    caller: &Caller,
    result: MethodResult,
) -> Result<Frame, RpcError> {
    let info = reply.peer().core.info();
    match result {
        MethodResult::Complete(result) => {
            let members = members(method, result)?;
            Ok(if caller.is_modern() {
                let cacheable = CACHEABLE.contains(&method);
                modern::application_result(reply.id(), &members, cacheable, info)
            } else {
                legacy::application_result(reply.id(), &members)
            })
        }
        MethodResult::InputRequired(asked) => {
            let InputRequired { requests, state } = &asked;
            may_ask(method, caller, &asked)?;
            let requests: Vec<(&str, &InputRequest)> = requests
                .iter()
                .map(|(key, ask)| (key.as_str(), ask))
                .collect();
            Ok(modern::input_required(
                reply.id(),
                &requests,
                state.as_deref(),
                info,
            ))
        }
    }
}

/// A result is an object; nothing is an empty one.
fn members(method: &str, result: Value) -> Result<Map<String, Value>, RpcError> {
    match result {
        Value::Object(members) => Ok(members),
        Value::Null => Ok(Map::new()),
        _ => Err(fault(method, "its result is no object")),
    }
}

fn may_ask(method: &str, caller: &Caller, asked: &InputRequired) -> Result<(), RpcError> {
    if !ASKING.contains(&method) {
        return Err(fault(method, "this method cannot ask anything"));
    }
    if !caller.is_modern() {
        let text = format!(
            "{method} has a question, which revision {} cannot put; it came with 2026-07-28",
            caller.revision()
        );
        return Err(RpcError::internal(text));
    }
    if asked.requests.is_empty() && asked.state.is_none() {
        return Err(fault(method, "it asks for input without any question"));
    }
    for (key, request) in &asked.requests {
        let needed = request.requires();
        if !caller.supports(needed) {
            return Err(missing_capability(needed));
        }
        input::expressible(request, Revision::V2026_07_28)
            .map_err(|why| fault(method, &format!("its question `{key}`: {why}")))?;
    }
    Ok(())
}

/// The application's mistake: its log has the reason, the client learns that there is one.
fn fault(method: &str, why: &str) -> RpcError {
    tracing::error!(%method, "{why}");
    RpcError::internal(format!("{method}: {why}"))
}
