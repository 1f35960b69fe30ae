//! What a call begins with: a request, in the words of its wire, or a task that is there already.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{Guard, draft};
use crate::client::call::Reference;
use crate::client::core::{Ask, Core, Session};
use crate::client::dialect::Wire;
use crate::client::error::ClientError;
use crate::client::router::Kind;
use crate::model::clock::as_millis;
use crate::model::remote::RemoteTool;
use crate::model::task::TaskId;
use crate::model::tool::TaskSupport;
use crate::wire::client::header;

/// What a call begins with.
pub(super) enum Start {
    Call {
        tool: String,
        ask: Ask,
    },
    Draft {
        tool: String,
        ask: Ask,
        id: TaskId,
    },
    Resume {
        reference: Reference,
        /// The task is there already, and is cancelled with the call even if its driver has not come to look at it.
        guard: Option<Guard>,
    },
}

impl Start {
    pub(super) async fn of_call(
        core: &Core,
        session: &Session,
        name: String,
        arguments: Value,
        keep: Option<Duration>,
    ) -> Result<Self, ClientError> {
        let arguments = match arguments {
            Value::Null => Map::new(),
            Value::Object(arguments) => arguments,
            other => {
                return Err(ClientError::Invalid(format!(
                    "the arguments of `{name}` must be a JSON object, not {other}"
                )));
            }
        };
        let tool = match session.wire {
            Wire::V2026_07_28 if core.transport.is_http() => core.tool(&name).await?,
            Wire::V2025_11_25 if makes_core_tasks(core, session) => core.tool(&name).await?,
            _ => None,
        };
        let mut ask = Ask::new("tools/call", Value::Null);
        ask.what = format!("the call of `{name}`");
        ask.headers = headers(tool.as_ref(), &arguments);
        ask.params = Map::from_iter([
            ("name".to_owned(), json!(name)),
            ("arguments".to_owned(), arguments.into()),
        ]);
        match session.wire {
            Wire::V2026_07_28 if core.declares_tasks() => ask.kind = Kind::Task,
            Wire::V2025_11_25
                if tool.is_some_and(|tool| tool.task_support() != TaskSupport::Never) =>
            {
                ask.kind = Kind::CoreTask;
                let wish = keep.map_or(json!({}), |keep| json!({ "ttl": as_millis(keep) }));
                ask.params.insert("task".to_owned(), wish);
            }
            Wire::Draft if core.declares_tasks() => {
                let id = draft::mark(&mut ask, keep);
                return Ok(Self::Draft {
                    tool: name,
                    ask,
                    id,
                });
            }
            _ => {}
        }
        Ok(Self::Call { tool: name, ask })
    }

    pub(super) fn of_resumption(
        core: &Arc<Core>,
        session: &Session,
        reference: Reference,
        detached: &Arc<AtomicBool>,
    ) -> Result<Self, ClientError> {
        if reference.wire != session.wire {
            return Err(ClientError::Unsupported(format!(
                "the task {} was made on the wire {made}, and this client speaks {} with {}: \
                 have it speak {made} by `ClientBuilder::wire`",
                reference.task_id,
                session.wire,
                session.server.label(),
                made = reference.wire,
            )));
        }
        // A task of the draft is cancelled by its request, which somebody else has made.
        let guard = (session.wire != Wire::Draft)
            .then(|| Guard::new(core, &TaskId::new(&*reference.task_id), detached));
        Ok(Self::Resume { reference, guard })
    }

    pub(super) fn tool(&self) -> Option<&str> {
        match self {
            Self::Call { tool, .. } | Self::Draft { tool, .. } => Some(tool),
            Self::Resume { reference, .. } => reference.tool.as_deref(),
        }
    }

    /// The task, if there is one already.
    pub(super) fn task_id(&self) -> Option<TaskId> {
        match self {
            Self::Call { .. } | Self::Draft { .. } => None,
            Self::Resume { reference, .. } => Some(TaskId::new(&*reference.task_id)),
        }
    }

    pub(super) fn what(&self) -> String {
        match self {
            Self::Call { ask, .. } | Self::Draft { ask, .. } => ask.what.clone(),
            Self::Resume { reference, .. } => format!("the task {}", reference.task_id),
        }
    }
}

/// Whether calls of this session may be tasks of 2025-11-25, as far as the server goes.
fn makes_core_tasks(core: &Core, session: &Session) -> bool {
    core.declares_tasks()
        && session
            .server
            .offers(&["tasks", "requests", "tools", "call"])
}

pub(super) fn headers(
    tool: Option<&RemoteTool>,
    arguments: &Map<String, Value>,
) -> Vec<(String, String)> {
    tool.map(|tool| header::mirrored(&tool.mirrored, arguments))
        .unwrap_or_default()
}
