use crate::model::error::RpcError;
use crate::model::result::CallOutput;
use crate::task::contract::record;

use super::*;

fn input(key: &str, state: InputState) -> Input {
    Input {
        key: key.into(),
        state,
    }
}

#[test]
fn a_snapshot_shows_open_questions_in_the_order_asked() {
    let open = || InputState::Open(Arc::new(InputRequest::Roots));
    let answered = InputState::Answered(Arc::new(InputResponse::Roots(Vec::new())));
    let inputs = vec![
        input("z", open()),
        input("answered", answered),
        input("closed", InputState::Closed),
        input("a", open()),
    ];
    let task = Record {
        inputs,
        ..record("task", Owner::Process, 10)
    };
    let keys: Vec<&str> = task.snapshot().inputs.iter().map(|(key, _)| *key).collect();
    assert_eq!(keys, ["z", "a"]);
}

#[test]
fn a_time_to_live_without_end_is_shown_as_none() {
    assert_eq!(
        record("task", Owner::Process, u64::MAX).snapshot().ttl,
        None
    );
    assert_eq!(record("task", Owner::Process, 10).snapshot().ttl, Some(10));
}

#[test]
fn a_record_weighs_its_outcome_its_message_and_its_keys() {
    let json = |text: &str| serde_json::value::RawValue::from_string(text.into()).unwrap();
    let output = CallOutput {
        content: json("[]"),
        structured: Some(json("{}")),
        meta: None,
        is_error: false,
    };
    let message = Some(Arc::from("12345"));
    let inputs = vec![input("key", InputState::Closed)];
    let empty = Record {
        message,
        inputs,
        ..record("task", Owner::Process, 10)
    };
    let rest = 5 + 3 + size_of::<Input>();
    assert_eq!(empty.size(), rest);
    let full = Record {
        outcome: Some(Outcome::Result(Arc::new(output))),
        ..empty.clone()
    };
    assert_eq!(full.size(), rest + 4);
    let error = RpcError::internal("seven").with_data(&serde_json::json!([1]));
    let failed = Record {
        outcome: Some(Outcome::Error(Arc::new(error))),
        ..empty
    };
    assert_eq!(failed.size(), rest + 5 + 3);
}
