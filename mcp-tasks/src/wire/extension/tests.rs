use std::sync::Arc;

use super::*;
use crate::model::clock::Millis;
use crate::wire::Revision;
use crate::wire::samples::{error, failure, id, info, result, sample, snapshot, structured, text};

fn task(id: &RequestId, task: &TaskSnapshot<'_>, info: &ServerInfo) -> Frame {
    super::task(id, task, info).joined()
}

fn golden(name: &str, frame: &[u8]) {
    crate::wire::golden::check(Revision::V2026_07_28, name, frame);
}

fn get(name: &str, snapshot: &TaskSnapshot<'_>) {
    golden(
        &format!("tasks.get+{name}"),
        &task(&id(3), snapshot, &info()),
    );
}

#[test]
fn a_new_task_is_flat_and_working() {
    golden(
        "tools.call+task",
        &create(&id(2), &snapshot(TaskStatus::Created), &info()),
    );
}

#[test]
fn a_new_task_that_ended_already_shows_no_outcome() {
    let outcome = result(text("done"));
    let ended = TaskSnapshot {
        outcome: Some(&outcome),
        ..snapshot(TaskStatus::Completed)
    };
    let frame = String::from_utf8(create(&id(2), &ended, &info())).expect("UTF-8");
    assert!(
        frame.contains(r#""status":"completed""#) && !frame.contains("content"),
        "{frame}"
    );
}

#[test]
fn a_task_says_where_it_stands() {
    get("created", &snapshot(TaskStatus::Created));
    let working = TaskSnapshot {
        message: Some("rolling out (1 of 5)"),
        ttl: None,
        ..snapshot(TaskStatus::Working)
    };
    get("working", &working);
    let cancelled = TaskSnapshot {
        message: Some("cancelled on request"),
        ..snapshot(TaskStatus::Cancelled)
    };
    get("cancelled", &cancelled);
}

#[test]
fn a_waiting_task_shows_every_open_question() {
    let sample = sample();
    let waiting = TaskSnapshot {
        inputs: vec![
            ("name", &sample),
            ("roots", &crate::model::input::InputRequest::Roots),
        ],
        ..snapshot(TaskStatus::InputRequired)
    };
    get("input_required", &waiting);
}

#[test]
fn an_ended_task_holds_what_the_call_would_have_answered() {
    for (name, status, outcome) in [
        ("completed", TaskStatus::Completed, result(structured())),
        (
            "completed_with_is_error",
            TaskStatus::Completed,
            result(failure("no such host")),
        ),
        ("failed", TaskStatus::Failed, error()),
    ] {
        get(
            name,
            &TaskSnapshot {
                outcome: Some(&outcome),
                ..snapshot(status)
            },
        );
    }
}

#[test]
fn questions_and_updates_are_acknowledged_empty() {
    golden("tasks.update", &acknowledged(&id(6), &info()));
    golden("tasks.cancel", &acknowledged(&id(6), &info()));
}

#[test]
fn a_notification_carries_its_subscription_with_the_ids_own_type() {
    let outcome = result(text("done"));
    let ended = TaskSnapshot {
        outcome: Some(&outcome),
        ..snapshot(TaskStatus::Completed)
    };
    golden("notifications.tasks", &notification(&id(10), &ended));
    let string = RequestId::String("10".into());
    golden(
        "notifications.tasks+working",
        &notification(&string, &snapshot(TaskStatus::Working)),
    );
}

#[test]
fn times_beyond_the_year_9999_are_its_last_moment() {
    let late = TaskSnapshot {
        updated: Millis(u64::MAX),
        ..snapshot(TaskStatus::Working)
    };
    let frame = String::from_utf8(task(&id(1), &late, &info())).expect("UTF-8");
    assert!(
        frame.contains(r#""lastUpdatedAt":"9999-12-31T23:59:59.999Z""#),
        "{frame}"
    );
}

#[test]
fn times_to_live_stay_what_every_reader_keeps_exactly() {
    let long = TaskSnapshot {
        ttl: Some(u64::MAX),
        ..snapshot(TaskStatus::Working)
    };
    let frame = String::from_utf8(task(&id(1), &long, &info())).expect("UTF-8");
    assert!(frame.contains(r#""ttlMs":9007199254740991,"#), "{frame}");
}

#[test]
fn a_poll_copies_nothing_of_a_large_result() {
    let output = Arc::new(text(&"x".repeat(Message::LARGE)));
    let outcome = Outcome::Result(Arc::clone(&output));
    let ended = TaskSnapshot {
        outcome: Some(&outcome),
        ..snapshot(TaskStatus::Completed)
    };
    let pieces = super::task(&id(1), &ended, &info()).into_pieces();
    let own: usize = pieces
        .filter(|piece| piece.as_ref().as_ptr() != output.content.get().as_ptr())
        .map(|piece| piece.as_ref().len())
        .sum();
    assert!((1..1_000).contains(&own), "{own} bytes were written anew");
}
