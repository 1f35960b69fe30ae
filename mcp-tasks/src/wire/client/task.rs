//! Tasks as the three dialects tell of them.

use std::time::Duration;

use serde_json::Value;

use super::message::rpc_error;
use super::{Object, object, question};
use crate::model::error::RpcError;
use crate::model::input::InputRequest;
use crate::model::remote::{CallResult, Status, Task};
use crate::model::task::TaskId;

/// A question by its key, or why it cannot be put.
pub(crate) type Questions = Vec<(String, Result<InputRequest, String>)>;

/// A task, and what its state brings along.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) task: Task,
    /// How it ended, where the dialect tells that with the state.
    pub(crate) outcome: Option<Result<CallResult, RpcError>>,
    pub(crate) questions: Questions,
}

/// A `DetailedTask` of the extension, a `Task` of 2025-11-25, or the draft's: the fields have different names, and none
/// means two things.
pub(crate) fn read(mut object: Object) -> Result<Snapshot, String> {
    let outcome = match (object.remove("result"), object.get("error")) {
        (Some(result), _) => Some(Ok(CallResult::new(self::object(
            result,
            "a task's result",
        )?))),
        (None, Some(error)) if error.is_object() => Some(Err(rpc_error(error))),
        (None, _) => None,
    };
    let questions = match object.remove("inputRequests") {
        Some(requests) => questions(requests)?,
        None => Vec::new(),
    };
    let id = text(&object, "taskId").ok_or("a task without `taskId`")?;
    let status = text(&object, "status").ok_or("a task without `status`")?;
    let status =
        Status::parse(&status).ok_or_else(|| format!("the unknown task status `{status}`"))?;
    object.remove("resultType");
    object.remove("_meta");
    let task = Task {
        id: TaskId::new(id),
        status,
        message: text(&object, "statusMessage").or_else(|| text(&object, "error")),
        ttl: duration(&object, &["ttlMs", "ttl", "keepAlive"]),
        poll_interval: duration(
            &object,
            &["pollIntervalMs", "pollInterval", "pollFrequency"],
        ),
        json: object,
    };
    Ok(Snapshot {
        task,
        outcome,
        questions,
    })
}

/// `inputRequests`, of a task or of an `input_required` result.
pub(crate) fn questions(requests: Value) -> Result<Questions, String> {
    let requests = object(requests, "`inputRequests`")?;
    Ok(requests
        .into_iter()
        .map(|(key, request)| {
            let method = request["method"].as_str().unwrap_or_default().to_owned();
            let params = match request {
                Value::Object(mut request) => request.remove("params"),
                _ => None,
            };
            let params = params.and_then(|params| object(params, "").ok());
            (key, question(&method, &params.unwrap_or_default()))
        })
        .collect())
}

fn text(object: &Object, key: &str) -> Option<String> {
    object.get(key)?.as_str().map(str::to_owned)
}

/// Milliseconds; a fraction counts as a whole, and what is negative or no number as nothing said.
fn duration(object: &Object, keys: &[&str]) -> Option<Duration> {
    let millis = keys.iter().find_map(|key| object.get(*key)?.as_f64())?;
    Duration::try_from_secs_f64(millis.ceil() / 1000.0).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn snapshot(json: &Value) -> Result<Snapshot, String> {
        read(json.as_object().cloned().expect("an object"))
    }

    #[test]
    fn every_dialect_names_the_same_facts() {
        for (ttl, poll) in [
            ("ttlMs", "pollIntervalMs"),
            ("ttl", "pollInterval"),
            ("keepAlive", "pollFrequency"),
        ] {
            let task = json!({ "taskId": "t", "status": "working", ttl: 60_000, poll: 250 });
            let task = snapshot(&task).expect("a task").task;
            assert_eq!(task.ttl, Some(Duration::from_secs(60)), "{ttl}");
            assert_eq!(
                task.poll_interval,
                Some(Duration::from_millis(250)),
                "{poll}"
            );
        }
    }

    #[test]
    fn a_state_brings_its_outcome_and_its_questions() {
        let done = json!({ "taskId": "t", "status": "completed", "result": { "content": [] } });
        assert!(matches!(
            snapshot(&done).expect("a task").outcome,
            Some(Ok(_))
        ));
        let failed =
            json!({ "taskId": "t", "status": "failed", "error": { "code": 1, "message": "no" } });
        assert!(matches!(
            snapshot(&failed).expect("a task").outcome,
            Some(Err(_))
        ));
        let asking = json!({ "taskId": "t", "status": "input_required", "inputRequests": {
            "roots": { "method": "roots/list" },
            "odd": { "method": "dance/tango" },
        }});
        let questions = snapshot(&asking).expect("a task").questions;
        assert!(questions[0].1.is_ok());
        assert!(questions[1].1.is_err());
    }

    #[test]
    fn the_drafts_error_is_a_text_and_no_outcome() {
        let failed = json!({ "taskId": "t", "status": "failed", "error": "the disk is full" });
        let snapshot = snapshot(&failed).expect("a task");
        assert!(snapshot.outcome.is_none());
        assert_eq!(snapshot.task.message.as_deref(), Some("the disk is full"));
    }

    #[test]
    fn a_task_without_id_or_with_a_status_nobody_knows_is_refused() {
        assert!(snapshot(&json!({ "status": "working" })).is_err());
        let error = snapshot(&json!({ "taskId": "t", "status": "dozing" })).unwrap_err();
        assert!(error.contains("dozing"));
    }

    #[test]
    fn odd_durations_are_no_durations() {
        for odd in [json!(-1), json!("1000"), json!(null), json!(1e300)] {
            let task = json!({ "taskId": "t", "status": "working", "ttlMs": odd });
            assert_eq!(snapshot(&task).expect("a task").task.ttl, None, "{odd}");
        }
    }
}
