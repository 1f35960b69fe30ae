//! 2026-07-28: discovery, lists, results, questions as `input_required`.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::envelope::{ListenFilter, RequestId};
use super::legacy::tools_capability;
use super::message::Part;
use super::meta::TASKS_EXTENSION;
use super::write::{Object, message, notification, object_text, response, sized_response};
use super::{Frame, Message, Offer, Revision, ServerInfo, input, tool};
use crate::model::error::RpcError;
use crate::model::input::InputRequest;
use crate::model::result::CallOutput;
use crate::model::tool::ToolDef;

/// How long a client may keep what discovery and a `tools/list` that never changes say, in milliseconds. A new server
/// under the same address may say something else.
const CACHE_TTL: u64 = 300_000;

pub(crate) fn discover(id: &RequestId, offer: &Offer) -> Frame {
    response(id, |result| {
        complete(result);
        result.value("supportedVersions", &[Revision::V2026_07_28.as_str()]);
        result.object("capabilities", |capabilities| {
            capabilities.object("logging", |_| {});
            capabilities.object("tools", |tools| tools_capability(tools, offer));
            let extensions = offer
                .capabilities
                .get("extensions")
                .and_then(Value::as_object);
            if offer.tasks || extensions.is_some() {
                capabilities.object("extensions", |object| {
                    if offer.tasks {
                        object.object(TASKS_EXTENSION, |_| {});
                    }
                    for (key, value) in extensions.into_iter().flatten() {
                        object.member(key, value);
                    }
                });
            }
            for (key, value) in &offer.capabilities {
                if key != "extensions" {
                    capabilities.member(key, value);
                }
            }
        });
        result.optional_text("instructions", offer.instructions.as_deref());
        cacheable(result, CACHE_TTL, "public");
        result.server_meta(None, &offer.info);
    })
}

/// The `tools` array, rendered once per server.
pub(crate) fn tool(definition: &ToolDef) -> String {
    object_text(|object| {
        tool::fields(object, definition, definition.title.as_deref());
        if let Some(schema) = &definition.output_schema {
            object.raw("outputSchema", schema.get());
        }
        tool::annotations(object, definition.annotations, None);
        tool::icons(object, definition);
        tool::meta(object, definition);
    })
}

/// `tools` is an array of what [`tool`](fn@tool) made.
pub(crate) fn tools_list(id: &RequestId, tools: &str, offer: &Offer) -> Frame {
    sized_response(tools.len(), id, |result| {
        complete(result);
        result.raw("tools", tools);
        // Tools that come and go do so at any time.
        let ttl = if offer.tools_change { 0 } else { CACHE_TTL };
        let scope = if offer.tools_vary {
            "private"
        } else {
            "public"
        };
        cacheable(result, ttl, scope);
        result.server_meta(None, &offer.info);
    })
    .joined()
}

pub(crate) fn call_result(id: &RequestId, output: &Arc<CallOutput>, info: &ServerInfo) -> Message {
    sized_response(Message::room(output), id, |result| {
        complete(result);
        call_fields(result, output);
        result.server_meta(output.meta.as_ref().map(|meta| meta.get()), info);
    })
}

/// A tool's result but for its `_meta`.
pub(super) fn call_fields(result: &mut Object<'_>, output: &Arc<CallOutput>) {
    result.part("content", Part::content(output));
    if output.structured.is_some() {
        result.part("structuredContent", Part::structured(output));
    }
    result.bool("isError", output.is_error);
}

/// The result of a method that an application answers: its own members, and what every result of this revision
/// must have. `cacheable` where it must also say how long it holds.
pub(crate) fn application_result(
    id: &RequestId,
    members: &Map<String, Value>,
    cacheable: bool,
    info: &ServerInfo,
) -> Frame {
    response(id, |result| {
        complete(result);
        for (key, value) in members {
            if key != "resultType" && key != "_meta" {
                result.member(key, value);
            }
        }
        // Nobody but the application knows for how long and for whom a list of its own holds.
        if cacheable && !members.contains_key("ttlMs") {
            result.integer("ttlMs", 0);
        }
        if cacheable && !members.contains_key("cacheScope") {
            result.text("cacheScope", "private");
        }
        let own = members.get("_meta").filter(|meta| meta.is_object());
        result.server_meta(own.map(Value::to_string).as_deref(), info);
    })
}

pub(crate) fn input_required(
    id: &RequestId,
    requests: &[(&str, &InputRequest)],
    state: Option<&str>,
    info: &ServerInfo,
) -> Frame {
    response(id, |result| {
        result.text("resultType", "input_required");
        if !requests.is_empty() {
            input_requests(result, requests);
        }
        result.optional_text("requestState", state);
        result.server_meta(None, info);
    })
}

/// Questions by their keys: requests without `jsonrpc` and `id`.
pub(super) fn input_requests(object: &mut Object<'_>, requests: &[(&str, &InputRequest)]) {
    object.object("inputRequests", |map| {
        for (key, ask) in requests {
            map.entry(key, |request| {
                request.text("method", ask.method());
                if let Some(params) = input::params(ask, Revision::V2026_07_28) {
                    request.value("params", &params);
                }
            });
        }
    });
}

/// `subscriptions/listen` acknowledged: what of the filter is served.
pub(crate) fn listen_acknowledged(id: &RequestId, filter: &ListenFilter) -> Frame {
    notification("notifications/subscriptions/acknowledged", |params| {
        params.object("_meta", |meta| meta.subscription(id));
        params.object("notifications", |accepted| {
            if filter.tools_list_changed {
                accepted.bool("toolsListChanged", true);
            }
            if let Some(task_ids) = &filter.task_ids {
                accepted.value("taskIds", task_ids);
            }
        });
    })
}

/// `notifications/tools/list_changed` on the subscription `id`.
pub(crate) fn tools_list_changed(id: &RequestId) -> Frame {
    notification("notifications/tools/list_changed", |params| {
        params.object("_meta", |meta| meta.subscription(id));
    })
}

/// The result that ends a subscription.
pub(crate) fn listen_ended(id: &RequestId, info: &ServerInfo) -> Frame {
    response(id, |result| {
        complete(result);
        result.object("_meta", |meta| {
            meta.subscription(id);
            meta.server_info(info);
        });
    })
}

/// An error response of any era; no `id` member where the id could not be read.
pub(crate) fn error(id: Option<&RequestId>, error: &RpcError) -> Frame {
    let size = 256 + error.message.len() + error.data.as_ref().map_or(0, |data| data.get().len());
    message(size, |message| {
        if let Some(id) = id {
            message.id("id", id);
        }
        message.error(error);
    })
}

pub(super) fn complete(result: &mut Object<'_>) {
    result.text("resultType", "complete");
}

/// 2026-07-28 caching: every list and `server/discover` must say how long and for whom it holds.
fn cacheable(result: &mut Object<'_>, ttl: u64, scope: &str) {
    result.integer("ttlMs", ttl);
    result.text("cacheScope", scope);
}

#[cfg(test)]
mod tests;
