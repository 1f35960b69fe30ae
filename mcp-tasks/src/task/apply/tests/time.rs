//! What a task reports as its time to live, and when it may really go.

use super::*;

fn on(record: &Record, now: u64, event: &Event) -> Record {
    apply(record, event, Millis(now)).unwrap()
}

#[test]
fn a_running_task_is_kept_for_its_budget_and_its_keep() {
    let task = on(&created(Dialect::Core), 1_030, &Event::Start);
    assert_eq!(
        task.ttl,
        30 + 100 + 10,
        "waiting for the start used up nothing"
    );
    let told = on(&task, 1_070, &Event::Message("half".into()));
    assert_eq!((told.ttl, told.expires()), (140, Millis(1_140)));
}

#[test]
fn waiting_for_answers_uses_up_no_budget() {
    let asking = on(&working(Dialect::Extension), 1_040, &ask(&["a"]));
    assert_eq!(asking.ttl, 40 + 60 + 50 + 10, "60 of the budget are left");
    let answered = on(&asking, 1_080, &answer(&["a"]));
    assert_eq!(answered.ttl, 80 + 60 + 10);
    let going_on = on(&answered, 1_090, &Event::Delivered(keys(&["a"])));
    assert_eq!(
        (going_on.ttl, going_on.running_since),
        (90 + 60 + 10, Some(Millis(1_090)))
    );
    let ended = on(&going_on, 1_100, &Event::End(result()));
    assert_eq!((ended.ran, ended.ttl), (50, 100 + 10));
}

#[test]
fn of_several_questions_the_longest_wait_keeps_the_task() {
    let asking = on(&working(Dialect::Extension), 1_000, &ask(&["a"]));
    let hasty = Event::Ask {
        questions: vec![("b".into(), Arc::new(InputRequest::Roots))],
        wait: 1,
    };
    assert_eq!(on(&asking, 1_001, &hasty).ttl, asking.ttl);
    let patient = Event::Ask {
        questions: vec![("b".into(), Arc::new(InputRequest::Roots))],
        wait: 500,
    };
    assert_eq!(on(&asking, 1_001, &patient).ttl, 1 + 100 + 500 + 10);
}

#[test]
fn a_withdrawn_question_sets_the_body_going_again() {
    let asking = on(&working(Dialect::Core), 1_040, &ask(&["a"]));
    let going_on = on(&asking, 1_080, &Event::Withdraw(keys(&["a"])));
    assert_eq!(
        (going_on.ttl, going_on.running_since),
        (80 + 60 + 10, Some(Millis(1_080)))
    );
}

#[test]
fn a_noted_cancel_gives_a_running_body_no_new_budget() {
    let task = working(Dialect::Extension);
    let noted = on(&task, 1_040, &Event::Cancel(CancelReason::Requested));
    assert_eq!(
        (noted.ttl, noted.running_since),
        (task.ttl, Some(Millis(1_000)))
    );
    let ended = on(&noted, 1_060, &Event::End(result()));
    assert_eq!((ended.ran, ended.ttl), (60, 60 + 10));
}

#[test]
fn a_task_that_waits_for_its_turn_outlives_what_it_reports() {
    const DAY: u64 = 24 * 3_600_000;
    let queued = created(Dialect::Core);
    assert_eq!((queued.ttl, queued.expires()), (110, Millis(1_110 + DAY)));
    let answered = on(&asking(Dialect::Core, &["a"]), 1_000, &answer(&["a"]));
    assert_eq!(answered.expires(), Millis(1_110 + DAY));
    let going_on = on(&answered, 1_000, &Event::Delivered(keys(&["a"])));
    assert_eq!(going_on.expires(), Millis(1_110));
}

#[test]
fn an_ended_task_is_kept_as_long_as_the_client_wishes() {
    let wish = |wish| Record {
        wish,
        ..working(Dialect::Core)
    };
    assert_eq!(on(&wish(None), 1_020, &Event::End(result())).ttl, 30);
    assert_eq!(
        on(&wish(Some(5)), 1_020, &Event::End(result())).ttl,
        30,
        "a short wish cuts nothing"
    );
    assert_eq!(on(&wish(Some(500)), 1_020, &Event::End(result())).ttl, 500);
    assert_eq!(
        wish(Some(500)).ttl,
        110,
        "nor does a long one count while it runs"
    );
}

#[test]
fn no_task_reports_a_time_to_live_of_zero() {
    let hasty = Record {
        run_budget: 0,
        keep: 0,
        ..created(Dialect::Extension)
    };
    assert_eq!(on(&hasty, 1_000, &Event::Start).ttl, 1);
    assert_eq!(on(&hasty, 1_000, &Event::End(result())).ttl, 1);
}

#[test]
fn huge_times_saturate() {
    let huge = Record {
        run_budget: u64::MAX,
        keep: u64::MAX,
        wish: Some(u64::MAX),
        ..created(Dialect::Core)
    };
    let started = on(&huge, u64::MAX - 1, &Event::Start);
    let question = vec![("a".into(), Arc::new(InputRequest::Roots))];
    let asking = on(
        &started,
        u64::MAX,
        &Event::Ask {
            questions: question,
            wait: u64::MAX,
        },
    );
    let ended = on(&asking, u64::MAX, &Event::End(result()));
    for task in [started, asking, ended] {
        assert_eq!(task.expires(), Millis(u64::MAX));
    }
}

#[test]
fn a_clock_that_goes_back_moves_nothing_back() {
    let told = on(
        &working(Dialect::Core),
        1_050,
        &Event::Message("half".into()),
    );
    let ended = on(&told, 1_020, &Event::End(result()));
    assert_eq!(
        (ended.updated, ended.ended, ended.ran),
        (Millis(1_050), Some(Millis(1_050)), 50)
    );
}
