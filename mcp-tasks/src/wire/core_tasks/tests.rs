use super::*;
use crate::model::task::TaskStatus;
use crate::wire::samples::{error, failure, id, result as outcome, snapshot, structured, text};

fn result(id: &RequestId, task: &TaskSnapshot<'_>) -> Frame {
    super::result(id, task).joined()
}

fn golden(name: &str, frame: &[u8]) {
    crate::wire::golden::check(Revision::V2025_11_25, name, frame);
}

/// A task of each kind, by its golden name.
fn every_kind(mut each: impl FnMut(&str, &TaskSnapshot<'_>)) {
    let message = Some("rolling out (1 of 5)");
    each("created", &snapshot(TaskStatus::Created));
    each(
        "working",
        &TaskSnapshot {
            message,
            ttl: None,
            ..snapshot(TaskStatus::Working)
        },
    );
    each("input_required", &snapshot(TaskStatus::InputRequired));
    each("cancelled", &snapshot(TaskStatus::Cancelled));
    for (name, status, outcome) in [
        ("completed", TaskStatus::Completed, outcome(structured())),
        (
            "is_error",
            TaskStatus::Completed,
            outcome(failure("no such host")),
        ),
        ("failed", TaskStatus::Failed, error()),
    ] {
        each(
            name,
            &TaskSnapshot {
                outcome: Some(&outcome),
                message,
                ..snapshot(status)
            },
        );
    }
}

fn parsed(frame: &[u8]) -> serde_json::Value {
    serde_json::from_slice(frame).expect("JSON")
}

#[test]
fn a_new_task_is_nested() {
    golden(
        "tools.call+task",
        &create(&id(1), &snapshot(TaskStatus::Created)),
    );
}

#[test]
fn a_task_says_where_it_stands() {
    every_kind(|name, snapshot| golden(&format!("tasks.get+{name}"), &task(&id(3), snapshot)));
    golden(
        "tasks.cancel",
        &task(&id(3), &snapshot(TaskStatus::Cancelled)),
    );
}

#[test]
fn a_result_with_is_error_is_a_failed_task_that_says_how() {
    let long = outcome(failure(&"ä".repeat(300)));
    let failed = TaskSnapshot {
        outcome: Some(&long),
        ..snapshot(TaskStatus::Completed)
    };
    let value = parsed(&task(&id(3), &failed));
    assert_eq!(value["result"]["status"], "failed");
    assert_eq!(
        value["result"]["statusMessage"],
        format!("{}…", "ä".repeat(100))
    );
}

#[test]
fn a_failed_result_without_text_keeps_the_last_message() {
    let silent = outcome(crate::model::result::CallOutput {
        content: crate::wire::samples::raw(
            r#"[{"type":"image","data":"","mimeType":"image/png"}]"#,
        ),
        ..failure("")
    });
    let failed = TaskSnapshot {
        outcome: Some(&silent),
        message: Some("half way"),
        ..snapshot(TaskStatus::Completed)
    };
    assert_eq!(
        parsed(&task(&id(3), &failed))["result"]["statusMessage"],
        "half way"
    );
}

#[test]
fn a_status_notification_is_the_whole_task() {
    every_kind(|name, snapshot| {
        golden(
            &format!("notifications.tasks.status+{name}"),
            &status(snapshot),
        );
    });
}

#[test]
fn a_list_names_its_next_page_if_there_is_one() {
    let tasks = [
        Listed::Core(snapshot(TaskStatus::Working)),
        Listed::Core(snapshot(TaskStatus::Cancelled)),
    ];
    golden("tasks.list", &list(&id(5), &tasks, Some("next")));
    golden("tasks.list+empty", &list(&id(5), &[], None));
}

#[test]
fn a_result_is_what_the_call_would_have_answered_and_relates_to_its_task() {
    for (name, status, outcome) in [
        ("completed", TaskStatus::Completed, outcome(structured())),
        (
            "is_error",
            TaskStatus::Completed,
            outcome(failure("no such host")),
        ),
        ("failed", TaskStatus::Failed, error()),
    ] {
        let ended = TaskSnapshot {
            outcome: Some(&outcome),
            ..snapshot(status)
        };
        golden(&format!("tasks.result+{name}"), &result(&id(4), &ended));
    }
}

#[test]
fn the_result_of_a_cancelled_task_says_so_to_the_model() {
    golden(
        "tasks.result+cancelled",
        &result(&id(4), &snapshot(TaskStatus::Cancelled)),
    );
}

#[test]
fn a_tool_cannot_relate_its_result_to_another_task() {
    let meta = r#"{"io.modelcontextprotocol/related-task":{"taskId":"other"}}"#;
    let forged = outcome(crate::model::result::CallOutput {
        meta: Some(crate::wire::samples::raw(meta)),
        ..text("")
    });
    let ended = TaskSnapshot {
        outcome: Some(&forged),
        ..snapshot(TaskStatus::Completed)
    };
    let frame = String::from_utf8(result(&id(4), &ended)).expect("UTF-8");
    assert!(
        frame.contains("0123456789abcdef") && !frame.contains("other"),
        "{frame}"
    );
}

#[test]
fn a_cursor_leads_back_to_the_task_it_was_made_for() {
    let id = TaskId::new("0123456789abcdef");
    let cursor = cursor(&id);
    assert!(!cursor.contains(id.as_str()), "opaque: {cursor}");
    assert_eq!(read_cursor(&cursor), Some(id));
}

#[test]
fn a_cursor_that_was_never_made_names_no_task() {
    let foreign = URL_SAFE_NO_PAD.encode("0123456789abcdef");
    let empty = URL_SAFE_NO_PAD.encode("after:");
    let binary = URL_SAFE_NO_PAD.encode(b"after:\xff");
    for cursor in ["", "nonsense", "äöü", &foreign, &empty, &binary] {
        assert_eq!(read_cursor(cursor), None, "{cursor}");
    }
}
