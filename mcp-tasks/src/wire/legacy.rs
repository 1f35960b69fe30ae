//! 2025-03-26 to 2025-11-25: handshake, lists, results, requests to the client.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::envelope::{Params, RequestId};
use super::message::Part;
use super::meta::read_capabilities;
use super::params::{required, string};
use super::related::Related;
use super::write::{Object, message, notification, object_text, response, sized_response};
use super::{Frame, Message, Offer, Revision, input, tool};
use crate::model::capability::Capabilities;
use crate::model::error::RpcError;
use crate::model::input::InputRequest;
use crate::model::result::CallOutput;
use crate::model::tool::{TaskSupport, ToolDef};

/// What a client said in `initialize`, and the revision to answer with.
#[derive(Clone, Debug)]
pub(crate) struct Hello {
    pub(crate) revision: Revision,
    pub(crate) capabilities: Capabilities,
}

/// Reads `initialize`; an unknown revision is countered with the newest legacy one.
pub(crate) fn hello(params: &Params<'_>) -> Result<Hello, RpcError> {
    let requested = string(
        required(params.protocol_version, "protocolVersion")?,
        "protocolVersion",
    )?;
    let revision = Revision::parse(&requested)
        .filter(|revision| *revision < Revision::V2026_07_28)
        .unwrap_or(Revision::V2025_11_25);
    // Every revision requires `capabilities`, but a client without it has said enough: it has none.
    let capabilities = match params.capabilities {
        Some(raw) => read_capabilities(raw, revision)?,
        None => Capabilities::NONE,
    };
    Ok(Hello {
        revision,
        capabilities,
    })
}

pub(crate) fn initialized(id: &RequestId, revision: Revision, offer: &Offer) -> Frame {
    response(id, |result| {
        result.text("protocolVersion", revision.as_str());
        result.object("capabilities", |capabilities| {
            capabilities.object("logging", |_| {});
            capabilities.object("tools", |tools| tools_capability(tools, offer));
            if offer.tasks && revision == Revision::V2025_11_25 {
                capabilities.object("tasks", |tasks| task_capability(tasks, offer.task_list));
            }
            for (key, value) in &offer.capabilities {
                // Extensions came with 2026-07-28.
                if key != "extensions" {
                    capabilities.member(key, value);
                }
            }
        });
        result.object("serverInfo", |info| {
            info.text("name", &offer.info.name);
            if revision >= Revision::V2025_06_18 {
                info.optional_text("title", offer.info.title.as_deref());
            }
            info.text("version", &offer.info.version);
        });
        result.optional_text("instructions", offer.instructions.as_deref());
    })
}

pub(super) fn tools_capability(tools: &mut Object<'_>, offer: &Offer) {
    if offer.tools_change {
        tools.bool("listChanged", true);
    }
}

fn task_capability(tasks: &mut Object<'_>, list: bool) {
    if list {
        tasks.object("list", |_| {});
    }
    tasks.object("cancel", |_| {});
    tasks.object("requests", |requests| {
        requests.object("tools", |tools| tools.object("call", |_| {}));
    });
}

/// A member of a revision's `tools`, rendered once per server; `tasks` is whether the server offers tasks.
pub(crate) fn tool(definition: &ToolDef, revision: Revision, tasks: bool) -> String {
    object_text(|object| {
        let title = definition.title.as_deref();
        if revision == Revision::V2025_03_26 {
            tool::fields(object, definition, None);
            tool::annotations(object, definition.annotations, title);
            return;
        }
        tool::fields(object, definition, title);
        if let Some(schema) = definition
            .output_schema
            .as_ref()
            .filter(|raw| is_of_objects(raw))
        {
            object.raw("outputSchema", schema.get());
        }
        tool::annotations(object, definition.annotations, None);
        if let Some(support) = task_support(definition, revision, tasks) {
            object.object("execution", |execution| {
                execution.text("taskSupport", support);
            });
        }
        if revision >= Revision::V2025_11_25 {
            tool::icons(object, definition);
        }
        tool::meta(object, definition);
    })
}

/// Output schemas describe objects and nothing else before 2026-07-28.
fn is_of_objects(schema: &RawValue) -> bool {
    serde_json::from_str::<Map<String, Value>>(schema.get())
        .is_ok_and(|schema| schema.get("type") == Some(&json!("object")))
}

fn task_support(tool: &ToolDef, revision: Revision, tasks: bool) -> Option<&'static str> {
    if !tasks || revision != Revision::V2025_11_25 {
        return None;
    }
    match tool.task_support {
        TaskSupport::Never => None,
        TaskSupport::Optional => Some("optional"),
        TaskSupport::Required => Some("required"),
    }
}

pub(crate) fn tools_list(id: &RequestId, tools: &str) -> Frame {
    sized_response(tools.len(), id, |result| result.raw("tools", tools)).joined()
}

/// A tool's result; `task` where it answers `tasks/result`.
pub(crate) fn call_result(
    id: &RequestId,
    output: &Arc<CallOutput>,
    revision: Revision,
    task: Option<Related<'_>>,
) -> Message {
    sized_response(Message::room(output), id, |result| {
        if revision == Revision::V2025_03_26 {
            match without_links(output.content.get()) {
                Cow::Borrowed(_) => result.part("content", Part::content(output)),
                Cow::Owned(content) => result.raw("content", &content),
            }
        } else {
            result.part("content", Part::content(output));
            // Structured content is an object and nothing else before 2026-07-28; its text stands in `content`.
            let structured = output.structured.as_ref();
            if structured.is_some_and(|raw| raw.get().starts_with('{')) {
                result.part("structuredContent", Part::structured(output));
            }
        }
        result.bool("isError", output.is_error);
        result.related_meta(output.meta.as_ref().map(|meta| meta.get()), task);
    })
}

/// Content blocks for 2025-03-26, which has no resource links: each becomes a text of its name and address.
fn without_links(content: &str) -> Cow<'_, str> {
    const LINK: &str = "resource_link";
    if !content.contains(LINK) {
        return content.into();
    }
    let Ok(mut blocks) = serde_json::from_str::<Value>(content) else {
        return content.into();
    };
    for block in blocks.as_array_mut().into_iter().flatten() {
        if block["type"] == LINK {
            let field = |key: &str| block[key].as_str().unwrap_or_default();
            let text = format!("{}: {}", field("name"), field("uri"));
            *block = json!({ "type": "text", "text": text });
        }
    }
    serde_json::to_string(&blocks).map_or(content.into(), Cow::from)
}

/// `{}`: the answer to `ping` and `logging/setLevel`.
pub(crate) fn empty(id: &RequestId) -> Frame {
    response(id, |_| {})
}

/// The result of a method that an application answers.
pub(crate) fn application_result(id: &RequestId, members: &Map<String, Value>) -> Frame {
    response(id, |result| {
        for (key, value) in members {
            result.member(key, value);
        }
    })
}

/// A request to the client. `task` relates it to a task.
pub(crate) fn request(
    id: &RequestId,
    ask: &InputRequest,
    revision: Revision,
    task: Option<Related<'_>>,
) -> Frame {
    let mut params = input::params(ask, revision);
    if let Some(task) = task {
        relate(params.get_or_insert_default(), task);
    }
    message(512, |message| {
        message.id("id", id);
        message.text("method", ask.method());
        if let Some(params) = &params {
            message.value("params", params);
        }
    })
}

fn relate(params: &mut Map<String, Value>, task: Related<'_>) {
    let meta = params.entry("_meta").or_insert(Value::Null);
    if !meta.is_object() {
        *meta = json!({});
    }
    meta[task.key()] = json!({ "taskId": task.task_id() });
}

/// `notifications/elicitation/complete`, 2025-11-25.
pub(crate) fn elicitation_complete(elicitation_id: &str) -> Frame {
    notification("notifications/elicitation/complete", |params| {
        params.text("elicitationId", elicitation_id);
    })
}

/// `notifications/tools/list_changed`, which a session hears unasked.
pub(crate) fn tools_list_changed() -> Frame {
    message(128, |message| {
        message.text("method", "notifications/tools/list_changed");
    })
}

/// `notifications/cancelled` for a request of the server's.
pub(crate) fn cancelled(id: &RequestId, reason: &str) -> Frame {
    notification("notifications/cancelled", |params| {
        params.id("requestId", id);
        params.text("reason", reason);
    })
}

/// Several responses to a 2025-03-26 batch as one frame.
pub(crate) fn batch(frames: &[Frame]) -> Frame {
    let members = frames.join(&b',');
    [b"[", members.as_slice(), b"]"].concat()
}

#[cfg(test)]
mod tests;
