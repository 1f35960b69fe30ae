use super::*;

fn single(text: &str) -> Incoming {
    let mut messages = read(text.as_bytes()).expect("a message");
    assert_eq!(messages.len(), 1, "{text}");
    messages.remove(0)
}

#[test]
fn a_response_is_told_from_a_request_and_a_notification() {
    assert!(matches!(
        single(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#),
        Incoming::Response {
            id: Some(7),
            outcome: Ok(_)
        }
    ));
    assert!(matches!(
        single(r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#),
        Incoming::Request { .. }
    ));
    assert!(matches!(
        single(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#),
        Incoming::Notification { .. }
    ));
}

#[test]
fn an_id_that_came_back_as_text_or_with_a_fraction_is_still_the_id() {
    for id in [r#""7""#, "7.0", "7"] {
        let message = single(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
        assert!(
            matches!(message, Incoming::Response { id: Some(7), .. }),
            "{id}"
        );
    }
}

#[test]
fn an_error_keeps_code_text_and_data_and_a_broken_one_is_an_error_still() {
    let Incoming::Response {
        outcome: Err(error),
        ..
    } = single(
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":[]}}}"#,
    )
    else {
        panic!("an error");
    };
    assert_eq!(error.to_string(), "no (-32022)");
    assert_eq!(error.data.expect("data").get(), r#"{"supported":[]}"#);

    let Incoming::Response {
        outcome: Err(error),
        ..
    } = single(r#"{"id":1,"error":"boom"}"#)
    else {
        panic!("an error");
    };
    assert_eq!(error.to_string(), "\"boom\" (-32603)");
}

#[test]
fn a_batch_is_its_members() {
    let members = read(br#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"x"}]"#);
    assert_eq!(members.expect("a batch").len(), 2);
}

#[test]
fn a_response_too_deep_to_read_ends_its_request() {
    let deep = "[".repeat(300) + &"]".repeat(300);
    let message = single(&format!(
        r#"{{"jsonrpc":"2.0","id":3,"result":{{"a":{deep}}}}}"#
    ));
    assert!(matches!(
        message,
        Incoming::Response {
            id: Some(3),
            outcome: Err(_)
        }
    ));
}

#[test]
fn what_is_no_message_is_shown() {
    for text in ["hello", "7", "{}", r#"{"jsonrpc":"2.0","id":"x"}"#] {
        assert!(read(text.as_bytes()).is_err(), "{text}");
    }
    assert!(
        read(b"Listening on 8080")
            .unwrap_err()
            .contains("Listening on 8080")
    );
}

#[test]
fn empty_parameters_are_left_out() {
    let frame = request(1, "ping", &Object::new());
    assert_eq!(frame, br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
}
