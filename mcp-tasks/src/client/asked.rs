//! Requests of a server's (before 2026-07-28): each is put to its handler once, and answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};
use tokio::task::{AbortHandle, JoinSet};

use super::core::set_meta;
use super::handlers::{Asker, Unanswered};
use super::router::Router;
use crate::model::error::RpcError;
use crate::model::input::{InputRequest, InputResponse};
use crate::model::task::TaskId;
use crate::wire::client::{answer, key, question};

/// "User rejected sampling request" (2025-06-18 sampling).
const REJECTED: i64 = -1;

/// The questions that wait for an answer.
#[derive(Default)]
pub(super) struct Asked(Mutex<Vec<Open>>);

struct Open {
    method: String,
    params: Map<String, Value>,
    /// The requests that ask it. A server whose stream broke asks a task's question again, under another id.
    ids: Vec<Value>,
    answering: Option<AbortHandle>,
}

impl Asked {
    pub(super) fn take(
        &self,
        router: &Arc<Router>,
        id: Value,
        method: &str,
        params: Map<String, Value>,
    ) {
        if !matches!(
            method,
            "elicitation/create" | "sampling/createMessage" | "roots/list"
        ) {
            let unknown = RpcError::new(
                RpcError::METHOD_NOT_FOUND,
                format!("Method not found: {method}"),
            );
            return router.respond(&id, Err(unknown));
        }
        let request = match question(method, &params) {
            Ok(request) => request,
            Err(why) => {
                tracing::warn!("a question of the server's cannot be put: {why}");
                return router.respond(&id, Err(RpcError::invalid_params(why)));
            }
        };
        let related = Related::read(&params);
        let mut open = self.lock();
        // A stream that is taken up again may deliver what it has delivered.
        if open.iter().any(|open| open.ids.contains(&id)) {
            return;
        }
        if related.is_some()
            && let Some(same) = open
                .iter_mut()
                .find(|open| open.method == method && open.params == params)
        {
            return same.ids.push(id);
        }
        let asker = Asker {
            server: router.server(),
            tool: None,
            task: related.as_ref().map(|related| related.task.clone()),
        };
        open.push(Open {
            method: method.to_owned(),
            params,
            ids: vec![id.clone()],
            answering: None,
        });
        // The lock is held until the handle is stored, so that the answer finds its entry complete.
        let answering = answer_one(Arc::clone(router), id.clone(), asker, request, related);
        let answering = tokio::spawn(answering);
        if let Some(entry) = open.iter_mut().find(|open| open.ids.contains(&id)) {
            entry.answering = Some(answering.abort_handle());
        }
    }

    /// The server no longer waits for `id`.
    pub(super) fn withdraw(&self, id: &Value) {
        let mut open = self.lock();
        let Some(at) = open.iter().position(|open| open.ids.contains(id)) else {
            return;
        };
        open[at].ids.retain(|other| other != id);
        if open[at].ids.is_empty() {
            open.swap_remove(at).abort();
        }
    }

    pub(super) fn withdraw_all(&self) {
        for open in self.lock().drain(..) {
            open.abort();
        }
    }

    /// The requests that the question first asked as `id` has been asked by, which are done with.
    fn close(&self, id: &Value) -> Vec<Value> {
        let mut open = self.lock();
        let at = open.iter().position(|open| open.ids.contains(id));
        at.map(|at| open.swap_remove(at).ids).unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn abort(self) {
        if let Some(answering) = self.answering {
            answering.abort();
        }
    }
}

async fn answer_one(
    router: Arc<Router>,
    id: Value,
    asker: Asker,
    request: InputRequest,
    related: Option<Related>,
) {
    let outcome = match answer_apart(&router, asker, request).await {
        Ok(response) => Ok(related_answer(answer(response), related)),
        Err(Unanswered::Rejected) => Err(RpcError::new(REJECTED, "User rejected sampling request")),
        Err(missing @ Unanswered::NoHandler(_)) => {
            Err(RpcError::invalid_params(missing.to_string()))
        }
        Err(fault @ (Unanswered::Misfit(_) | Unanswered::Panicked)) => {
            tracing::warn!("a question was not answered: {fault}");
            Err(RpcError::internal(fault.to_string()))
        }
    };
    for id in router.asked.close(&id) {
        router.respond(&id, outcome.clone());
    }
}

/// The handler runs in a task of its own, so that the server hears of its panic too.
async fn answer_apart(
    router: &Arc<Router>,
    asker: Asker,
    request: InputRequest,
) -> Result<InputResponse, Unanswered> {
    let router = Arc::clone(router);
    let mut answering = JoinSet::new();
    answering.spawn(async move { router.answer(asker, request).await });
    match answering.join_next().await {
        Some(Ok(answered)) => answered,
        _ => Err(Unanswered::Panicked),
    }
}

/// The task that a question belongs to, as its revision relates them.
struct Related {
    key: &'static str,
    task: TaskId,
}

impl Related {
    fn read(params: &Map<String, Value>) -> Option<Self> {
        let meta = params.get("_meta")?;
        [key::RELATED_TASK, key::DRAFT_RELATED_TASK]
            .into_iter()
            .find_map(|key| {
                let task = meta.get(key)?.get("taskId")?.as_str()?;
                let task = TaskId::new(task);
                Some(Self { key, task })
            })
    }
}

/// "All requests, notifications, and responses related to a task MUST include" it (2025-11-25 tasks and the draft).
fn related_answer(mut answer: Value, related: Option<Related>) -> Value {
    if let (Value::Object(answer), Some(related)) = (&mut answer, related) {
        let task = json!({ "taskId": related.task.as_str() });
        set_meta(answer, related.key, task);
    }
    answer
}
