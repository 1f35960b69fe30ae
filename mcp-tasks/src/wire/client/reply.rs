//! What a response to a request turns out to be.

use serde_json::Value;

use super::task::{self, Questions, Snapshot};
use super::{Object, excerpt, object};

/// A result, whatever it is the result of.
#[derive(Debug)]
pub(crate) enum Reply {
    /// The method's own result.
    Complete(Object),
    /// Questions to answer before the request is sent again (2026-07-28).
    InputRequired {
        questions: Questions,
        /// To be repeated exactly.
        state: Option<String>,
    },
    /// A task was made of the request.
    Task(Box<Snapshot>),
}

/// Reads a result of 2026-07-28. `tasks` is whether this request may become a task: no other may
/// (tasks extension, "Polymorphic Results"), and an unknown kind of result is an error.
pub(crate) fn modern(result: Value, method: &str, tasks: bool) -> Result<Reply, String> {
    let mut result = object(result, "the result")?;
    let kind = match result.get("resultType") {
        None | Some(Value::Null) => None,
        Some(Value::String(kind)) => Some(kind.as_str()),
        Some(other) => {
            return Err(format!(
                "`{method}` was answered with a `resultType` that is {}",
                super::kind(other)
            ));
        }
    };
    match kind {
        Some("task") if tasks => task::read(result).map(Box::new).map(Reply::Task),
        Some("task") => Err(format!(
            "`{method}` was answered with a task, which this request cannot become"
        )),
        Some("input_required") if may_ask(method) => {
            let questions = result.remove("inputRequests");
            let state = result.remove("requestState");
            Ok(Reply::InputRequired {
                questions: questions
                    .map(task::questions)
                    .transpose()?
                    .unwrap_or_default(),
                state: state.and_then(|state| state.as_str().map(str::to_owned)),
            })
        }
        Some("input_required") => Err(format!(
            "`{method}` was answered with questions, which this method cannot be"
        )),
        // Servers of before the field say nothing, and mean a result.
        Some("complete") | None => Ok(Reply::Complete(result)),
        Some(other) => Err(format!(
            "`{method}` was answered with a result of the unknown type `{}`",
            excerpt(other)
        )),
    }
}

/// Reads a result of before: a task, nested, where the request asked for one.
pub(crate) fn legacy(result: Value, tasks: bool) -> Result<Reply, String> {
    let mut result = object(result, "the result")?;
    match result.remove("task") {
        Some(Value::Object(task)) if tasks => task::read(task).map(Box::new).map(Reply::Task),
        Some(other) => {
            result.insert("task".to_owned(), other);
            Ok(Reply::Complete(result))
        }
        None => Ok(Reply::Complete(result)),
    }
}

/// The methods that may answer with questions (2026-07-28 mrtr).
fn may_ask(method: &str) -> bool {
    matches!(method, "tools/call" | "prompts/get" | "resources/read")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn task() -> Value {
        json!({ "resultType": "task", "taskId": "t", "status": "working" })
    }

    #[test]
    fn only_a_request_that_may_become_a_task_is_answered_with_one() {
        assert!(matches!(
            modern(task(), "tools/call", true),
            Ok(Reply::Task(_))
        ));
        let error = modern(task(), "tools/list", false).unwrap_err();
        assert!(error.contains("tools/list"), "{error}");
    }

    #[test]
    fn an_unknown_kind_of_result_is_an_error_and_none_means_complete() {
        let odd = modern(json!({ "resultType": "haiku" }), "tools/call", true);
        assert!(odd.unwrap_err().contains("haiku"));
        let plain = modern(json!({ "content": [] }), "tools/call", true);
        assert!(matches!(plain, Ok(Reply::Complete(_))));
    }

    #[test]
    fn questions_come_with_three_methods_only() {
        let asking = || json!({ "resultType": "input_required", "requestState": "s" });
        assert!(matches!(
            modern(asking(), "prompts/get", false),
            Ok(Reply::InputRequired { state: Some(_), .. })
        ));
        assert!(modern(asking(), "tools/list", false).is_err());
    }

    #[test]
    fn a_member_named_task_is_a_task_only_where_one_was_asked_for() {
        let nested = || json!({ "task": { "taskId": "t", "status": "working" } });
        assert!(matches!(legacy(nested(), true), Ok(Reply::Task(_))));
        let Ok(Reply::Complete(result)) = legacy(nested(), false) else {
            panic!("a plain result");
        };
        assert!(result.contains_key("task"));
    }
}
