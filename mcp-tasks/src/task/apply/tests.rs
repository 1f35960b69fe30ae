//! Each move by itself; `properties` drives them in any order.

mod properties;
mod time;

use crate::model::error::RpcError;
use crate::model::principal::Owner;
use crate::model::result::CallOutput;
use crate::task::contract::record;

use super::*;

/// A task made at 1,000 whose body may run 100 ms and whose result is kept 10 ms.
fn created(dialect: Dialect) -> Record {
    Record {
        dialect,
        status: TaskStatus::Created,
        running_since: None,
        run_budget: 100,
        keep: 10,
        ..record("task", Owner::Process, 110)
    }
}

fn working(dialect: Dialect) -> Record {
    apply(&created(dialect), &Event::Start, Millis(1_000)).unwrap()
}

fn asking(dialect: Dialect, keys: &[&str]) -> Record {
    apply(&working(dialect), &ask(keys), Millis(1_000)).unwrap()
}

fn ask(keys: &[&str]) -> Event {
    let question = |key: &&str| (Arc::from(*key), Arc::new(InputRequest::Roots));
    Event::Ask {
        questions: keys.iter().map(question).collect(),
        wait: 50,
    }
}

fn answer(keys: &[&str]) -> Event {
    let response = |key: &&str| (Arc::from(*key), Arc::new(InputResponse::Roots(Vec::new())));
    Event::Answer(keys.iter().map(response).collect())
}

fn keys(keys: &[&str]) -> Vec<Arc<str>> {
    keys.iter().map(|key| Arc::from(*key)).collect()
}

fn result() -> Outcome {
    let content = serde_json::value::to_raw_value(&serde_json::json!([])).unwrap();
    Outcome::Result(Arc::new(CallOutput {
        content,
        structured: None,
        meta: None,
        is_error: false,
    }))
}

fn error(message: &'static str) -> Outcome {
    Outcome::Error(Arc::new(RpcError::internal(message)))
}

fn at(record: &Record, event: &Event) -> Result<Record, Rejected> {
    apply(record, event, Millis(1_005))
}

fn open(record: &Record) -> Vec<&str> {
    record.open_inputs().map(|(key, _)| key).collect()
}

const ALL: [Dialect; 3] = [Dialect::Extension, Dialect::Core, Dialect::Draft];

#[test]
fn a_body_starts_once() {
    let working = working(Dialect::Core);
    assert_eq!((working.status, working.version), (TaskStatus::Working, 2));
    assert_eq!(at(&working, &Event::Start).unwrap_err(), Rejected::Illegal);
}

#[test]
fn a_message_that_is_the_same_is_no_change() {
    let told = at(&working(Dialect::Core), &Event::Message("half".into())).unwrap();
    assert_eq!(told.message.as_deref(), Some("half"));
    assert_eq!(
        at(&told, &Event::Message("half".into())).unwrap_err(),
        Rejected::Unchanged
    );
}

#[test]
fn a_task_waits_until_no_question_is_open() {
    let asking = asking(Dialect::Extension, &["a", "b"]);
    assert_eq!(
        (asking.status, open(&asking)),
        (TaskStatus::InputRequired, vec!["a", "b"])
    );
    let partly = at(&asking, &answer(&["b"])).unwrap();
    assert_eq!(
        (partly.status, open(&partly)),
        (TaskStatus::InputRequired, vec!["a"])
    );
    let done = at(&partly, &answer(&["a"])).unwrap();
    assert_eq!((done.status, open(&done)), (TaskStatus::Working, vec![]));
    let withdrawn = at(&partly, &Event::Withdraw(keys(&["a"]))).unwrap();
    assert_eq!(withdrawn.status, TaskStatus::Working);
}

#[test]
fn only_a_started_body_asks() {
    assert_eq!(
        at(&created(Dialect::Core), &ask(&["a"])).unwrap_err(),
        Rejected::Illegal
    );
    let cancelled = at(
        &working(Dialect::Extension),
        &Event::Cancel(CancelReason::Requested),
    )
    .unwrap();
    assert_eq!(at(&cancelled, &ask(&["a"])).unwrap_err(), Rejected::Illegal);
    assert_eq!(
        at(&working(Dialect::Core), &ask(&[])).unwrap_err(),
        Rejected::Unchanged
    );
}

#[test]
fn a_key_is_used_once_in_a_tasks_life() {
    assert_eq!(
        at(&working(Dialect::Core), &ask(&["a", "a"])).unwrap_err(),
        Rejected::KeyUsed
    );
    let asking = asking(Dialect::Core, &["a"]);
    assert_eq!(
        at(&asking, &ask(&["b", "a"])).unwrap_err(),
        Rejected::KeyUsed
    );
    let closed = at(&asking, &Event::Withdraw(keys(&["a"]))).unwrap();
    assert_eq!(at(&closed, &ask(&["a"])).unwrap_err(), Rejected::KeyUsed);
}

#[test]
fn the_first_answer_stands_and_stray_keys_are_ignored() {
    let asking = asking(Dialect::Extension, &["a"]);
    assert_eq!(
        at(&asking, &answer(&["other"])).unwrap_err(),
        Rejected::Unchanged
    );
    assert_eq!(at(&asking, &answer(&[])).unwrap_err(), Rejected::Unchanged);
    let second = InputResponse::Sample(serde_json::Map::new());
    let twice = vec![
        ("a".into(), Arc::new(InputResponse::Roots(Vec::new()))),
        ("a".into(), Arc::new(second.clone())),
    ];
    let answered = at(&asking, &Event::Answer(twice)).unwrap();
    let InputState::Answered(first) = &answered.inputs[0].state else {
        panic!("the key was open: {answered:?}");
    };
    assert_eq!(**first, InputResponse::Roots(Vec::new()));
    let late = Event::Answer(vec![("a".into(), Arc::new(second))]);
    assert_eq!(at(&answered, &late).unwrap_err(), Rejected::Unchanged);
}

#[test]
fn a_delivered_answer_is_dropped_and_shows_nothing() {
    let answered = at(&asking(Dialect::Extension, &["a"]), &answer(&["a"])).unwrap();
    let delivered = apply(&answered, &Event::Delivered(keys(&["a"])), Millis(1_009)).unwrap();
    assert!(matches!(delivered.inputs[0].state, InputState::Closed));
    assert_eq!(
        (delivered.version, delivered.updated),
        (answered.version + 1, answered.updated)
    );
    assert_eq!(
        at(&delivered, &Event::Delivered(keys(&["a"]))).unwrap_err(),
        Rejected::Unchanged
    );
    let asking = asking(Dialect::Extension, &["a"]);
    assert_eq!(
        at(&asking, &Event::Delivered(keys(&["a"]))).unwrap_err(),
        Rejected::Unchanged
    );
}

#[test]
fn a_withdrawn_question_cannot_be_answered() {
    let withdrawn = at(
        &asking(Dialect::Core, &["a"]),
        &Event::Withdraw(keys(&["a"])),
    )
    .unwrap();
    assert_eq!(
        at(&withdrawn, &answer(&["a"])).unwrap_err(),
        Rejected::Unchanged
    );
    assert_eq!(
        at(&withdrawn, &Event::Withdraw(keys(&["a"]))).unwrap_err(),
        Rejected::Unchanged
    );
}

#[test]
fn a_legacy_task_is_cancelled_at_once() {
    for task in [
        working(Dialect::Core),
        asking(Dialect::Core, &["a"]),
        working(Dialect::Draft),
        asking(Dialect::Draft, &["a"]),
    ] {
        let cancelled = at(&task, &Event::Cancel(CancelReason::Requested)).unwrap();
        assert_eq!(cancelled.status, TaskStatus::Cancelled);
        assert_eq!(
            cancelled.message.as_deref(),
            Some("cancelled by the client")
        );
        assert_eq!(
            (cancelled.ended, cancelled.cancel),
            (Some(Millis(1_005)), Some(CancelReason::Requested))
        );
        assert!(open(&cancelled).is_empty() && cancelled.outcome.is_none());
        let stays = Rejected::Terminal(TaskStatus::Cancelled);
        assert_eq!(at(&cancelled, &Event::End(result())).unwrap_err(), stays);
    }
}

#[test]
fn the_servers_own_reason_leaves_a_core_task_to_its_runner() {
    for reason in [
        CancelReason::TimedOut,
        CancelReason::Expired,
        CancelReason::Shutdown,
    ] {
        let noted = at(&working(Dialect::Core), &Event::Cancel(reason)).unwrap();
        assert_eq!(
            (noted.status, noted.cancel),
            (TaskStatus::Working, Some(reason))
        );
        let failed = at(&noted, &Event::End(error("it took too long"))).unwrap();
        assert_eq!(failed.status, TaskStatus::Failed);
        let cancelled = at(&noted, &Event::Cancel(CancelReason::Requested)).unwrap();
        assert_eq!(
            cancelled.status,
            TaskStatus::Cancelled,
            "a client's wish still counts"
        );
    }
}

#[test]
fn an_extension_task_notes_a_cancel_and_closes_its_questions() {
    let noted = at(
        &asking(Dialect::Extension, &["a"]),
        &Event::Cancel(CancelReason::Requested),
    )
    .unwrap();
    assert_eq!(
        (noted.status, noted.cancel),
        (TaskStatus::Working, Some(CancelReason::Requested))
    );
    assert_eq!(
        at(&noted, &answer(&["a"])).unwrap_err(),
        Rejected::Unchanged
    );
    let again = at(&noted, &Event::Cancel(CancelReason::Shutdown));
    assert_eq!(again.unwrap_err(), Rejected::Unchanged);
}

#[test]
fn after_a_noted_cancel_a_real_result_still_counts() {
    let noted = at(
        &working(Dialect::Extension),
        &Event::Cancel(CancelReason::Requested),
    )
    .unwrap();
    let completed = at(&noted, &Event::End(result())).unwrap();
    assert_eq!(completed.status, TaskStatus::Completed);
    let cancelled = at(&noted, &Event::EndCancelled("stopped".into())).unwrap();
    assert_eq!(
        (cancelled.status, cancelled.message.as_deref()),
        (TaskStatus::Cancelled, Some("stopped"))
    );
}

#[test]
fn a_body_that_has_not_started_never_starts() {
    for dialect in ALL {
        for reason in [CancelReason::Requested, CancelReason::Shutdown] {
            let cancelled = at(&created(dialect), &Event::Cancel(reason)).unwrap();
            assert_eq!(cancelled.status, TaskStatus::Cancelled);
            let never = at(&cancelled, &Event::Start).unwrap_err();
            assert_eq!(never, Rejected::Terminal(TaskStatus::Cancelled));
        }
    }
}

#[test]
fn an_end_says_how_it_came_and_leaves_no_question() {
    let told = at(
        &asking(Dialect::Extension, &["a"]),
        &Event::Message("half".into()),
    )
    .unwrap();
    let completed = at(&told, &Event::End(result())).unwrap();
    assert_eq!(
        (completed.status, completed.message.as_deref()),
        (TaskStatus::Completed, None)
    );
    let failed = at(&told, &Event::End(error("disk full"))).unwrap();
    assert_eq!(
        (failed.status, failed.message.as_deref()),
        (TaskStatus::Failed, Some("disk full"))
    );
    for ended in [completed, failed] {
        assert!(ended.outcome.is_some() && ended.running_since.is_none());
        assert!(
            ended
                .inputs
                .iter()
                .all(|input| matches!(input.state, InputState::Closed))
        );
    }
}

#[test]
fn a_heartbeat_shows_nothing() {
    let task = working(Dialect::Core);
    let alive = apply(&task, &Event::Heartbeat, Millis(1_009)).unwrap();
    assert_eq!(
        (alive.heartbeat, alive.updated),
        (Millis(1_009), task.updated)
    );
    assert_eq!(
        apply(&alive, &Event::Heartbeat, Millis(1_009)).unwrap_err(),
        Rejected::Unchanged
    );
}

#[test]
fn a_task_that_has_ended_is_deleted_to_a_stub_whose_time_is_over() {
    let ended = at(&working(Dialect::Draft), &Event::End(result())).unwrap();
    assert!(!ended.is_deleted());
    let deleted = at(&ended, &Event::Delete).unwrap();
    assert!(deleted.is_deleted() && deleted.outcome.is_none());
    assert_eq!(deleted.status, TaskStatus::Completed);
    assert!(deleted.version > ended.version && deleted.expires() <= deleted.created);
    let again = at(&deleted, &Event::Delete).unwrap_err();
    assert_eq!(again, Rejected::Terminal(TaskStatus::Completed));
}

#[test]
fn a_task_that_lives_is_not_deleted() {
    for task in [
        created(Dialect::Draft),
        working(Dialect::Draft),
        asking(Dialect::Draft, &["a"]),
    ] {
        assert_eq!(at(&task, &Event::Delete).unwrap_err(), Rejected::Illegal);
    }
}
