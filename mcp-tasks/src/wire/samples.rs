//! What the tests of this folder render.

use std::sync::{Arc, LazyLock};

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use super::envelope::RequestId;
use super::{Offer, ServerInfo};
use crate::model::clock::Millis;
use crate::model::error::RpcError;
use crate::model::form::Form;
use crate::model::input::InputRequest;
use crate::model::result::CallOutput;
use crate::model::task::{Outcome, TaskId, TaskSnapshot, TaskStatus};
use crate::model::tool::{Annotations, TaskSupport, ToolDef};

pub(super) fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).expect("samples are valid JSON")
}

pub(super) fn id(number: u64) -> RequestId {
    RequestId::Number(number.into())
}

pub(super) fn info() -> ServerInfo {
    ServerInfo {
        name: "ops".into(),
        title: Some("Operations".into()),
        version: "1.2.3".into(),
    }
}

pub(super) fn offer(tasks: bool, task_list: bool) -> Offer {
    Offer {
        info: info(),
        instructions: Some("Ask before you deploy.".into()),
        capabilities: Map::new(),
        tools_change: false,
        tools_vary: false,
        tasks,
        task_list,
    }
}

/// What an application's own methods bring.
pub(super) fn capabilities() -> Map<String, Value> {
    object(json!({ "prompts": { "listChanged": true }, "extensions": { "ops.test/audit": {} } }))
}

pub(super) fn prompts() -> Map<String, Value> {
    object(json!({ "prompts": [{ "name": "review" }] }))
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is no object"),
    }
}

/// A tool with everything a definition can hold.
pub(super) fn deploy() -> ToolDef {
    ToolDef {
        name: "deploy".into(),
        title: Some("Deploy".into()),
        description: "Deploy to an environment, \"after\" asking.".into(),
        input_schema: raw(
            r#"{"type":"object","properties":{"env":{"type":"string"}},"required":["env"]}"#,
        ),
        output_schema: Some(raw(
            r#"{"type":"object","properties":{"url":{"type":"string"}}}"#,
        )),
        annotations: Annotations {
            read_only: Some(false),
            destructive: Some(true),
            idempotent: Some(true),
            open_world: Some(false),
        },
        task_support: TaskSupport::Optional,
        mirrored: Vec::new(),
        icons: Some(raw(
            r#"[{"src":"https://ops.test/deploy.png","sizes":["48x48"]}]"#,
        )),
        meta: Some(raw(r#"{"ops.test/team":"infra"}"#)),
    }
}

/// A tool with only what a definition must hold.
pub(super) fn ping() -> ToolDef {
    ToolDef {
        name: "ping".into(),
        title: None,
        description: "Answer.".into(),
        input_schema: raw(r#"{"type":"object","properties":{}}"#),
        output_schema: None,
        annotations: Annotations::default(),
        task_support: TaskSupport::Never,
        mirrored: Vec::new(),
        icons: None,
        meta: None,
    }
}

/// A tool that runs as a task alone, and whose output is no object.
pub(super) fn count() -> ToolDef {
    ToolDef {
        name: "count".into(),
        output_schema: Some(raw(r#"{"type":"integer"}"#)),
        task_support: TaskSupport::Required,
        annotations: Annotations {
            read_only: Some(true),
            ..Annotations::default()
        },
        ..ping()
    }
}

pub(super) fn text(text: &str) -> CallOutput {
    CallOutput {
        content: to_raw_value(&json!([{ "type": "text", "text": text }])).expect("JSON"),
        structured: None,
        meta: None,
        is_error: false,
    }
}

pub(super) fn failure(message: &str) -> CallOutput {
    CallOutput {
        is_error: true,
        ..text(message)
    }
}

pub(super) fn structured() -> CallOutput {
    CallOutput {
        structured: Some(raw(r#"{"url":"https://ops.test/7"}"#)),
        meta: Some(raw(r#"{"ops.test/build":7}"#)),
        ..text("{\"url\":\"https://ops.test/7\"}")
    }
}

pub(super) fn links() -> CallOutput {
    CallOutput {
        content: raw(
            r#"[{"type":"text","text":"see"},{"type":"resource_link","name":"log","uri":"file:///var/log/7"}]"#,
        ),
        ..text("")
    }
}

pub(super) fn sample() -> InputRequest {
    let params = json!({
        "messages": [{ "role": "user", "content": { "type": "text", "text": "Name it." } }],
        "maxTokens": 20,
    });
    InputRequest::Sample(params.as_object().cloned().unwrap_or_default())
}

pub(super) fn form() -> InputRequest {
    InputRequest::Form {
        message: "Deploy?".into(),
        form: Form::default(),
    }
}

pub(super) fn url() -> InputRequest {
    InputRequest::Url {
        message: "Sign in.".into(),
        url: "https://ops.test/sign-in".into(),
        elicitation_id: "e-1".into(),
    }
}

pub(super) fn task_id() -> &'static TaskId {
    static ID: LazyLock<TaskId> = LazyLock::new(|| TaskId::new("0123456789abcdef0123456789abcdef"));
    &ID
}

/// A task that has run for a second and a half.
pub(super) fn snapshot(status: TaskStatus) -> TaskSnapshot<'static> {
    TaskSnapshot {
        id: task_id(),
        status,
        message: None,
        created: Millis(1_785_222_000_000),
        updated: Millis(1_785_222_001_500),
        ttl: Some(600_000),
        keep: 600_000,
        poll_interval: 1_000,
        inputs: Vec::new(),
        outcome: None,
    }
}

pub(super) fn result(output: CallOutput) -> Outcome {
    Outcome::Result(Arc::new(output))
}

pub(super) fn error() -> Outcome {
    Outcome::Error(Arc::new(rpc_error()))
}

pub(super) fn rpc_error() -> RpcError {
    RpcError::internal("the disk is full").with_data(&json!({ "retryAfterMs": 250 }))
}
