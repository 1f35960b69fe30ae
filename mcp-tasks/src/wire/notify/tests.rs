use super::*;
use crate::wire::Revision;
use crate::wire::samples::{id, task_id};

fn golden(revision: Revision, name: &str, frame: &[u8]) {
    crate::wire::golden::check(revision, name, frame);
}

#[test]
fn progress_has_a_number_and_whatever_else_is_known() {
    let string = ProgressToken::String("p1".into());
    for revision in Revision::ALL {
        let bare = progress(&id(7), 1.0, None, None, None);
        golden(revision, "notifications.progress", &bare);
        let full = progress(&string, 2.5, Some(5.0), Some("rolling \"out\""), None);
        golden(revision, "notifications.progress+full", &full);
    }
    let related = progress(
        &string,
        2.0,
        Some(5.0),
        None,
        Some(Related::Core(task_id())),
    );
    golden(
        Revision::V2025_11_25,
        "notifications.progress+task",
        &related,
    );
}

#[test]
fn progress_is_always_a_number() {
    let number = |value: f64| {
        let frame = progress(&id(7), value, Some(value), None, None);
        let value: serde_json::Value = serde_json::from_slice(&frame).expect("JSON");
        (
            value["params"]["progress"].clone(),
            value["params"].get("total").cloned(),
        )
    };
    assert_eq!(number(f64::NAN), (0.into(), None));
    assert_eq!(number(f64::INFINITY), (f64::MAX.into(), None));
    assert_eq!(number(1e300), (1e300.into(), Some(1e300.into())));
    assert_eq!(number(9_007_199_254_740_991.0).0, 9_007_199_254_740_991_u64);
    assert_eq!(number(-3.0).0, -3);
}

#[test]
fn a_log_message_says_where_it_comes_from_and_which_task_it_belongs_to() {
    for revision in Revision::ALL {
        let plain = log(LogLevel::Warning, "deploy", "disk\tlow", None);
        golden(revision, "notifications.message", &plain);
    }
    let related = Some(Related::Core(task_id()));
    let related = log(LogLevel::Debug, "deploy", "step", related);
    golden(
        Revision::V2025_11_25,
        "notifications.message+task",
        &related,
    );
}
