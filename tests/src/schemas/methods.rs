//! Which definition of the schema each message is checked against.

use serde_json::Value;

use super::Direction::{self, ToClient, ToServer};

/// What a method's messages must be.
pub(super) struct Method {
    pub(super) name: &'static str,
    pub(super) revisions: &'static [&'static str],
    pub(super) directions: &'static [Direction],
    /// The definition of the request or notification.
    pub(super) message: &'static str,
    result: Answer,
}

/// The definition of a method's result.
enum Answer {
    /// A notification has none.
    Never,
    Always(&'static str),
    /// Depends on the result; `None` for one that is none of the method's.
    By(fn(&Value) -> Option<&'static str>),
}
use Answer::{Always, By, Never};

impl Method {
    pub(super) fn result(&self, result: &Value) -> Option<&'static str> {
        match self.result {
            Never => None,
            Always(definition) => Some(definition),
            By(choose) => choose(result),
        }
    }
}

const ALL: &[&str] = &["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const LEGACY: &[&str] = &["2025-03-26", "2025-06-18", "2025-11-25"];
const BEFORE_TASKS: &[&str] = &["2025-03-26", "2025-06-18"];
const ELICITATION: &[&str] = &["2025-06-18", "2025-11-25"];
const CORE_TASKS: &[&str] = &["2025-11-25"];
const MODERN: &[&str] = &["2026-07-28"];

const TO_SERVER: &[Direction] = &[ToServer];
const TO_CLIENT: &[Direction] = &[ToClient];
const BOTH: &[Direction] = &[ToServer, ToClient];

#[rustfmt::skip] // a table
pub(super) const METHODS: &[Method] = &[
    row("initialize", LEGACY, TO_SERVER, "InitializeRequest", Always("InitializeResult")),
    row("ping", LEGACY, BOTH, "PingRequest", Always("EmptyResult")),
    row("logging/setLevel", LEGACY, TO_SERVER, "SetLevelRequest", Always("EmptyResult")),
    row("server/discover", MODERN, TO_SERVER, "DiscoverRequest", By(discovered)),
    row("tools/list", ALL, TO_SERVER, "ListToolsRequest", Always("ListToolsResult")),
    row("tools/call", BEFORE_TASKS, TO_SERVER, "CallToolRequest", Always("CallToolResult")),
    row("tools/call", CORE_TASKS, TO_SERVER, "CallToolRequest", By(called_2025_11_25)),
    row("tools/call", MODERN, TO_SERVER, "CallToolRequest", By(called_2026_07_28)),
    row("subscriptions/listen", MODERN, TO_SERVER, "SubscriptionsListenRequest", By(listened)),

    row("prompts/list", ALL, TO_SERVER, "ListPromptsRequest", Always("ListPromptsResult")),
    row("prompts/get", LEGACY, TO_SERVER, "GetPromptRequest", Always("GetPromptResult")),
    row("prompts/get", MODERN, TO_SERVER, "GetPromptRequest", By(prompted)),
    row("resources/list", ALL, TO_SERVER, "ListResourcesRequest", Always("ListResourcesResult")),
    row("resources/templates/list", ALL, TO_SERVER, "ListResourceTemplatesRequest", Always("ListResourceTemplatesResult")),
    row("resources/read", LEGACY, TO_SERVER, "ReadResourceRequest", Always("ReadResourceResult")),
    row("resources/read", MODERN, TO_SERVER, "ReadResourceRequest", By(read)),
    row("resources/subscribe", LEGACY, TO_SERVER, "SubscribeRequest", Always("EmptyResult")),
    row("resources/unsubscribe", LEGACY, TO_SERVER, "UnsubscribeRequest", Always("EmptyResult")),
    row("completion/complete", ALL, TO_SERVER, "CompleteRequest", Always("CompleteResult")),

    row("sampling/createMessage", LEGACY, TO_CLIENT, "CreateMessageRequest", Always("CreateMessageResult")),
    row("elicitation/create", ELICITATION, TO_CLIENT, "ElicitRequest", Always("ElicitResult")),
    row("roots/list", LEGACY, TO_CLIENT, "ListRootsRequest", Always("ListRootsResult")),

    row("tasks/get", CORE_TASKS, TO_SERVER, "GetTaskRequest", Always("GetTaskResult")),
    // Not `GetTaskPayloadResult`, which is any object: the result is that of the call which made the task.
    row("tasks/result", CORE_TASKS, TO_SERVER, "GetTaskPayloadRequest", Always("CallToolResult")),
    row("tasks/list", CORE_TASKS, TO_SERVER, "ListTasksRequest", Always("ListTasksResult")),
    row("tasks/cancel", CORE_TASKS, TO_SERVER, "CancelTaskRequest", Always("CancelTaskResult")),

    // Defined in `tests/schemas/tasks-extension.json`, with `CreateTaskResult`: the core schema has none of them.
    row("tasks/get", MODERN, TO_SERVER, "GetTaskRequest", Always("GetTaskResult")),
    row("tasks/update", MODERN, TO_SERVER, "UpdateTaskRequest", Always("AcknowledgedResult")),
    row("tasks/cancel", MODERN, TO_SERVER, "CancelTaskRequest", Always("AcknowledgedResult")),
    row("notifications/tasks", MODERN, TO_CLIENT, "TasksNotification", Never),

    row("notifications/initialized", LEGACY, TO_SERVER, "InitializedNotification", Never),
    row("notifications/cancelled", ALL, BOTH, "CancelledNotification", Never),
    row("notifications/progress", LEGACY, BOTH, "ProgressNotification", Never),
    row("notifications/progress", MODERN, TO_CLIENT, "ProgressNotification", Never),
    row("notifications/message", ALL, TO_CLIENT, "LoggingMessageNotification", Never),
    row("notifications/tools/list_changed", ALL, TO_CLIENT, "ToolListChangedNotification", Never),
    row("notifications/roots/list_changed", LEGACY, TO_SERVER, "RootsListChangedNotification", Never),
    row("notifications/elicitation/complete", CORE_TASKS, TO_CLIENT, "ElicitationCompleteNotification", Never),
    row("notifications/tasks/status", CORE_TASKS, BOTH, "TaskStatusNotification", Never),
    row("notifications/subscriptions/acknowledged", MODERN, TO_CLIENT, "SubscriptionsAcknowledgedNotification", Never),
];

const fn row(
    name: &'static str,
    revisions: &'static [&'static str],
    directions: &'static [Direction],
    message: &'static str,
    result: Answer,
) -> Method {
    Method {
        name,
        revisions,
        directions,
        message,
        result,
    }
}

fn called_2025_11_25(result: &Value) -> Option<&'static str> {
    match result.as_object()?.get("task") {
        Some(_) => Some("CreateTaskResult"),
        None => Some("CallToolResult"),
    }
}

fn called_2026_07_28(result: &Value) -> Option<&'static str> {
    match result["resultType"].as_str()? {
        "complete" => Some("CallToolResult"),
        "input_required" => Some("InputRequiredResult"),
        "task" => Some("CreateTaskResult"),
        _ => None,
    }
}

fn prompted(result: &Value) -> Option<&'static str> {
    complete_or_asking(result, "GetPromptResult")
}

fn read(result: &Value) -> Option<&'static str> {
    complete_or_asking(result, "ReadResourceResult")
}

fn complete_or_asking(result: &Value, complete: &'static str) -> Option<&'static str> {
    match result["resultType"].as_str()? {
        "complete" => Some(complete),
        "input_required" => Some("InputRequiredResult"),
        _ => None,
    }
}

fn discovered(result: &Value) -> Option<&'static str> {
    (result["resultType"] == "complete").then_some("DiscoverResult")
}

fn listened(result: &Value) -> Option<&'static str> {
    (result["resultType"] == "complete").then_some("SubscriptionsListenResult")
}
