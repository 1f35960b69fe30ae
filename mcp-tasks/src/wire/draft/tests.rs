use std::sync::Arc;

use super::*;
use crate::model::level::LogLevel;
use crate::wire::samples::{error, id, raw, snapshot, text};
use crate::wire::{Revision, core_tasks, legacy, notify};

/// The draft rides on any revision that has sessions.
const RIDDEN: Revision = Revision::V2025_06_18;

fn golden(name: &str, frame: &[u8]) {
    crate::wire::golden::check_in("sep-1686", name, frame);
}

fn task_id() -> TaskId {
    super::id("0123456789abcdef0123456789abcdef", "786af6b0")
}

fn read(json: &str) -> Result<NewTask, String> {
    NewTask::read(&raw(json)).map_err(|error| error.message.into_owned())
}

fn named(name: &str, keep_alive: Option<u64>) -> NewTask {
    let name = name.to_owned();
    NewTask { name, keep_alive }
}

#[test]
fn a_request_names_its_task_and_says_how_long_to_keep_it() {
    assert_eq!(read(r#"{"taskId":"a"}"#), Ok(named("a", None)));
    assert_eq!(
        read(r#"{"taskId":"a:b","keepAlive":60000}"#),
        Ok(named("a:b", Some(60_000)))
    );
    assert_eq!(
        read(r#"{"taskId":"a","keepAlive":null,"x":1}"#),
        Ok(named("a", None))
    );
    let endless = r#"{"taskId":"a","keepAlive":99999999999999999999999}"#;
    assert_eq!(read(endless), Ok(named("a", Some(u64::MAX))));
}

#[test]
fn a_name_of_another_shape_is_refused_by_its_place() {
    let place = r#"`_meta["modelcontextprotocol.io/task"].taskId`"#;
    let shape = format!("{place} must be a string of 1 to 256 bytes");
    for (json, expected) in [
        ("{}".to_owned(), format!("{place} is missing")),
        (
            r#"{"taskId":null}"#.to_owned(),
            format!("{place} must be a string"),
        ),
        (
            r#"{"taskId":7}"#.to_owned(),
            format!("{place} must be a string"),
        ),
        (r#"{"taskId":""}"#.to_owned(), shape.clone()),
        (format!(r#"{{"taskId":"{}"}}"#, "x".repeat(257)), shape),
    ] {
        assert_eq!(read(&json), Err(expected), "{json}");
    }
    for keep in ["-1", "1.5", "\"1\"", "true"] {
        let refused = read(&format!(r#"{{"taskId":"a","keepAlive":{keep}}}"#));
        let refused = refused.expect_err(keep);
        assert!(
            refused.contains("keepAlive` must be a whole number"),
            "{refused}"
        );
    }
    assert!(read("[]").is_err());
}

#[test]
fn a_client_sees_the_name_that_it_chose() {
    assert_eq!(name(&task_id()), "786af6b0");
    assert_eq!(name(&super::id("5e55", "a:b")), "a:b");
    assert!(is_draft(&task_id()));
    assert!(!is_draft(&TaskId::new("0123456789abcdef0123456789abcdef")));
}

#[test]
fn a_task_says_where_it_stands_in_the_words_of_the_draft() {
    let (failed, task_id) = (error(), task_id());
    for (name, status) in [
        ("submitted", TaskStatus::Created),
        ("working", TaskStatus::Working),
        ("input_required", TaskStatus::InputRequired),
        ("completed", TaskStatus::Completed),
        ("failed", TaskStatus::Failed),
        ("cancelled", TaskStatus::Cancelled),
    ] {
        let snapshot = TaskSnapshot {
            id: &task_id,
            outcome: (status == TaskStatus::Failed).then_some(&failed),
            ..snapshot(status)
        };
        golden(&format!("tasks.get+{name}"), &task(&id(3), &snapshot));
    }
}

#[test]
fn a_list_holds_tasks_without_metadata() {
    let task_id = task_id();
    let draft = TaskSnapshot {
        id: &task_id,
        ..snapshot(TaskStatus::Working)
    };
    let tasks = [core_tasks::Listed::Draft(draft)];
    golden(
        "tasks.list",
        &core_tasks::list(&id(5), &tasks, Some("next")),
    );
}

#[test]
fn every_message_of_a_task_is_related_to_it() {
    let task_id = task_id();
    let related = Some(Related::Draft(&task_id));
    golden("notifications.tasks.created", &created(&task_id));
    golden("tasks.delete", &deleted(&id(6), &task_id));
    golden(
        "tools.call",
        &legacy::call_result(&id(1), &Arc::new(text("done")), RIDDEN, related).joined(),
    );
    let token = RequestId::String("p1".into());
    golden(
        "notifications.progress",
        &notify::progress(&token, 1.0, Some(2.0), Some("half"), related),
    );
    golden(
        "notifications.message",
        &notify::log(LogLevel::Info, "deploy", "half way", related),
    );
}

#[test]
fn the_texts_of_errors_are_those_of_the_draft() {
    assert_eq!(
        no_result(TaskStatus::Working).message,
        "Cannot retrieve result: Task status is 'working', not 'completed'"
    );
    assert_eq!(
        already_exists(&task_id()).message,
        "Task ID already exists: 786af6b0"
    );
    assert_eq!(
        no_result(TaskStatus::Working).code,
        RpcError::INVALID_PARAMS
    );
    assert_eq!(already_exists(&task_id()).code, RpcError::INVALID_PARAMS);
}
