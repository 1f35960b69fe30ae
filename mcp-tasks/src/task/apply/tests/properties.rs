//! Whatever happens in whatever order, these hold.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const KEYS: [&str; 4] = ["a", "b", "c", "d"];

fn some_keys() -> impl Strategy<Value = Vec<&'static str>> {
    vec(proptest::sample::select(&KEYS[..]), 0..4)
}

fn any_reason() -> impl Strategy<Value = CancelReason> {
    proptest::sample::select(vec![
        CancelReason::Requested,
        CancelReason::Disconnected,
        CancelReason::TimedOut,
        CancelReason::Expired,
        CancelReason::Abandoned,
        CancelReason::Shutdown,
    ])
}

fn any_event() -> impl Strategy<Value = Event> {
    let asked = (some_keys(), any::<u64>()).prop_map(|(keys, wait)| match ask(&keys) {
        Event::Ask { questions, .. } => Event::Ask { questions, wait },
        other => other,
    });
    // Ends are rare, so that most sequences get far before theirs.
    prop_oneof![
        8 => Just(Event::Start),
        8 => "[ab]".prop_map(|text| Event::Message(text.into())),
        16 => asked,
        16 => some_keys().prop_map(|keys| answer(&keys)),
        8 => some_keys().prop_map(|chosen| Event::Delivered(keys(&chosen))),
        8 => some_keys().prop_map(|chosen| Event::Withdraw(keys(&chosen))),
        2 => any_reason().prop_map(Event::Cancel),
        1 => Just(Event::End(result())),
        1 => Just(Event::End(error("failed"))),
        1 => Just(Event::EndCancelled("stopped".into())),
        4 => Just(Event::Heartbeat),
        2 => Just(Event::Delete),
    ]
}

/// Mostly small steps, now and then to anywhere.
fn any_moment() -> impl Strategy<Value = Millis> {
    prop_oneof![8 => 900_u64..2_000, 1 => any::<u64>()].prop_map(Millis)
}

fn any_task() -> impl Strategy<Value = Record> {
    let small_or_any = || prop_oneof![0_u64..200, any::<u64>()];
    let wish = proptest::option::of(small_or_any());
    let dialect = proptest::sample::select(vec![Dialect::Extension, Dialect::Core, Dialect::Draft]);
    (dialect, small_or_any(), small_or_any(), wish).prop_map(|(dialect, run_budget, keep, wish)| {
        let ttl = run_budget.saturating_add(keep).max(1);
        Record {
            keep,
            wish,
            run_budget,
            ttl,
            ..created(dialect)
        }
    })
}

/// What is true of every record there ever is.
fn assert_sound(task: &Record) {
    let is_terminal = task.status.is_terminal();
    let open = task.inputs.iter().any(is_open);
    let keys: HashSet<&str> = task.inputs.iter().map(|input| &*input.key).collect();
    assert_eq!(keys.len(), task.inputs.len(), "no key is used twice");
    assert_eq!(
        open,
        task.status == TaskStatus::InputRequired,
        "waiting means that something is open"
    );
    assert_eq!(is_terminal, task.ended.is_some());
    let has_outcome = matches!(task.status, TaskStatus::Completed | TaskStatus::Failed);
    assert_eq!(has_outcome && !task.is_deleted(), task.outcome.is_some());
    assert_eq!(task.ttl == 0, task.is_deleted());
    assert!(task.updated >= task.created && task.expires() >= task.created);
    if is_terminal {
        assert!(
            task.inputs
                .iter()
                .all(|input| matches!(input.state, InputState::Closed))
        );
        assert!(task.running_since.is_none());
    }
    if task.status == TaskStatus::Created {
        assert!(task.inputs.is_empty() && task.running_since.is_none());
    }
}

/// What is true of every step from one to the next.
fn assert_step(old: &Record, new: &Record) {
    let deletes = new.is_deleted() && !old.is_deleted() && new.status == old.status;
    assert!(
        !old.status.is_terminal() || deletes,
        "nothing moves a task that has ended, but its deletion"
    );
    assert_eq!(new.version, old.version + 1);
    assert!(new.updated >= old.updated && new.heartbeat >= old.heartbeat && new.ran >= old.ran);
    assert_eq!(
        (&new.id, &new.owner, new.created),
        (&old.id, &old.owner, old.created)
    );
    assert!(new.status != TaskStatus::Created || old.status == TaskStatus::Created);
    assert!(new.inputs.len() >= old.inputs.len(), "a key stays used");
    for (before, after) in old.inputs.iter().zip(&new.inputs) {
        assert_eq!(before.key, after.key);
        assert!(
            rank(&after.state) >= rank(&before.state),
            "a question never reopens"
        );
    }
    if let Some(reason) = old.cancel {
        assert!(
            new.cancel.is_some()
                && (new.cancel == Some(reason) || new.status == TaskStatus::Cancelled)
        );
    }
}

fn rank(state: &InputState) -> u8 {
    match state {
        InputState::Open(_) => 0,
        InputState::Answered(_) => 1,
        InputState::Closed => 2,
    }
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_sequence_of_events_keeps_the_rules(
        first in any_task(),
        events in vec((any_event(), any_moment()), 0..60),
    ) {
        let mut task = first;
        let mut ends = 0;
        for (event, now) in &events {
            let was_terminal = task.status.is_terminal();
            match apply(&task, event, *now) {
                Ok(next) => {
                    assert_step(&task, &next);
                    ends += u32::from(next.status.is_terminal() && !was_terminal);
                    task = next;
                }
                Err(Rejected::Terminal(status)) => prop_assert_eq!(status, task.status),
                Err(_) => prop_assert!(!was_terminal, "an ended task says that it has ended"),
            }
            assert_sound(&task);
        }
        prop_assert!(ends <= 1, "one outcome");
    }

    #[test]
    fn the_same_event_twice_answers_nothing_twice(
        first in any_task(),
        events in vec((any_event(), any_moment()), 0..30),
        answered in some_keys(),
    ) {
        let mut task = first;
        for (event, now) in &events {
            task = apply(&task, event, *now).unwrap_or(task);
        }
        let event = answer(&answered);
        if let Ok(next) = apply(&task, &event, Millis(3_000)) {
            prop_assert_eq!(apply(&next, &event, Millis(3_001)).unwrap_err(), Rejected::Unchanged);
        }
    }
}
