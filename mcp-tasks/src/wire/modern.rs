//! 2026-07-28: discovery, lists, results, questions as `input_required`.

use super::envelope::{ListenFilter, RequestId};
use super::meta::TASKS_EXTENSION;
use super::write::{Object, array_text, message, notification, response, sized_response};
use super::{Frame, Offer, Revision, ServerInfo, input, tool};
use crate::model::error::RpcError;
use crate::model::input::InputRequest;
use crate::model::result::CallOutput;
use crate::model::tool::ToolDef;

/// How long a client may keep what discovery and `tools/list` say, in milliseconds. A running server never changes
/// either; a new one under the same address may.
const CACHE_TTL: u64 = 300_000;

pub(crate) fn discover(id: &RequestId, offer: &Offer) -> Frame {
    response(id, |result| {
        complete(result);
        result.value("supportedVersions", &[Revision::V2026_07_28.as_str()]);
        result.object("capabilities", |capabilities| {
            capabilities.object("logging", |_| {});
            capabilities.object("tools", |_| {});
            if offer.tasks {
                capabilities.object("extensions", |extensions| {
                    extensions.object(TASKS_EXTENSION, |_| {});
                });
            }
        });
        result.optional_text("instructions", offer.instructions.as_deref());
        cacheable(result);
        result.server_meta(None, &offer.info);
    })
}

/// The `tools` array, rendered once per server.
pub(crate) fn tools(tools: &[&ToolDef]) -> String {
    array_text(tools.iter().copied(), |object, definition: &ToolDef| {
        tool::fields(object, definition, definition.title.as_deref());
        if let Some(schema) = &definition.output_schema {
            object.raw("outputSchema", schema.get());
        }
        tool::annotations(object, definition.annotations, None);
    })
}

/// `tools` is what [`tools`] made.
pub(crate) fn tools_list(id: &RequestId, tools: &str, info: &ServerInfo) -> Frame {
    sized_response(tools.len(), id, |result| {
        complete(result);
        result.raw("tools", tools);
        cacheable(result);
        result.server_meta(None, info);
    })
}

pub(crate) fn call_result(id: &RequestId, output: &CallOutput, info: &ServerInfo) -> Frame {
    sized_response(output.size(), id, |result| {
        complete(result);
        call_fields(result, output);
        result.server_meta(output.meta.as_ref().map(|meta| meta.get()), info);
    })
}

/// A tool's result but for its `_meta`.
pub(super) fn call_fields(result: &mut Object<'_>, output: &CallOutput) {
    result.raw("content", output.content.get());
    if let Some(structured) = &output.structured {
        result.raw("structuredContent", structured.get());
    }
    result.bool("isError", output.is_error);
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
fn cacheable(result: &mut Object<'_>) {
    result.integer("ttlMs", CACHE_TTL);
    result.text("cacheScope", "public");
}

#[cfg(test)]
mod tests;
