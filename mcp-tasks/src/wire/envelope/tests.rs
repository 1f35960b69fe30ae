use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Incoming<'_> {
    parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn request(text: &str) -> Request<'_> {
    match read(text) {
        Incoming::Request(request) => request,
        other => panic!("{text}: {other:?}"),
    }
}

fn response(text: &str) -> Response<'_> {
    match read(text) {
        Incoming::Response(response) => response,
        other => panic!("{text}: {other:?}"),
    }
}

/// Code and id of a refusal.
fn refusal(bytes: impl AsRef<[u8]>) -> (i64, Option<RequestId>) {
    let error = parse(bytes.as_ref()).expect_err("refused");
    assert!(error.error.message.len() < 300, "{}", error.error.message);
    (error.error.code, error.id)
}

fn number(number: u64) -> RequestId {
    RequestId::Number(number.into())
}

#[test]
fn a_request_keeps_its_parameters_as_ranges_of_the_message() {
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a": 1},"x":[]}}"#;
    let request = request(text);
    assert_eq!(request.id, number(1));
    assert!(matches!(request.method, Cow::Borrowed("tools/call")));
    let arguments = request.params.arguments.expect("arguments").get();
    assert_eq!(arguments, r#"{"a": 1}"#);
    assert!(text.as_bytes().as_ptr_range().contains(&arguments.as_ptr()));
}

#[test]
fn a_method_with_escapes_is_read() {
    let request = request(r#"{"jsonrpc":"2.0","id":1,"method":"tools\/list"}"#);
    assert_eq!(request.method, "tools/list");
}

#[test]
fn a_message_with_a_method_and_no_id_is_a_notification() {
    let text = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#;
    let Incoming::Notification(notification) = read(text) else {
        panic!("{text}")
    };
    assert_eq!(notification.method, "notifications/cancelled");
    assert_eq!(
        notification.params.cancelled_id(),
        Some(RequestId::String("a".into()))
    );
}

#[test]
fn null_params_are_absent() {
    let request = request(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#);
    assert!(request.params.meta.is_none());
}

#[test]
fn ids_keep_their_type_and_every_digit() {
    for (text, id) in [
        ("18446744073709551615", number(u64::MAX)),
        ("-9223372036854775808", RequestId::Number(i64::MIN.into())),
        ("0", number(0)),
        ("\"1\"", RequestId::String("1".into())),
        ("\"\"", RequestId::String(String::new())),
        ("\"\\u0061\"", RequestId::String("a".into())),
        ("340282366920938463463374607431768211456", {
            RequestId::Huge("340282366920938463463374607431768211456".into())
        }),
    ] {
        let message = format!(r#"{{"jsonrpc":"2.0","id":{text},"method":"ping"}}"#);
        assert_eq!(request(&message).id, id, "{text}");
    }
}

#[test]
fn ids_that_are_neither_string_nor_integer_are_refused() {
    for id in ["null", "1.5", "1.0", "1e3", "{}", "[]", "true"] {
        let message = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        assert_eq!(refusal(message), (-32600, None), "{id}");
    }
}

#[test]
fn text_that_is_not_json_is_a_parse_error_without_id() {
    for text in [
        "",
        "   ",
        "{",
        "nonsense",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping""#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"} {}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"},"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping",,}"#,
        "[1,",
    ] {
        assert_eq!(refusal(text), (-32700, None), "{text}");
    }
}

#[test]
fn invalid_utf8_is_a_parse_error_wherever_it_stands() {
    for message in [
        &b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}"[..],
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"unknown\":\"\xc3\"}",
        b"\xff\xfe",
    ] {
        assert_eq!(refusal(message), (-32700, None));
    }
}

#[test]
fn json_that_is_no_message_is_an_invalid_request_under_its_id() {
    let one = Some(number(1));
    for (text, id) in [
        ("5", None),
        ("\"ping\"", None),
        ("null", None),
        ("{}", None),
        (r#"{"jsonrpc":"2.0","id":1}"#, one.clone()),
        (r#"{"jsonrpc":"2.0","id":1,"method":null}"#, one.clone()),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, one.clone()),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, one.clone()),
        (r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#, one.clone()),
        (r#"{"id":1,"method":"ping"}"#, one.clone()),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#,
            one.clone(),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":"p"}"#,
            one.clone(),
        ),
        (r#"{"jsonrpc":"2.0","method":"ping","params":[1]}"#, None),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
            one,
        ),
    ] {
        assert_eq!(refusal(text), (-32600, id), "{text}");
    }
}

#[test]
fn a_key_that_stands_twice_is_refused() {
    let twice = r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#;
    assert_eq!(refusal(twice), (-32600, Some(number(1))));
    let ids = r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#;
    assert_eq!(refusal(ids), (-32600, None));
    let names =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}"#;
    assert_eq!(refusal(names), (-32600, Some(number(1))));
}

#[test]
fn depth_costs_no_stack() {
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"m","x":{deep},"params":{{"arguments":{deep},"y":{deep}}}}}"#
    );
    assert_eq!(
        request(&message).params.arguments.expect("arguments").get(),
        deep
    );
    assert_eq!(refusal(format!("{deep},")), (-32700, None));
    assert_eq!(
        refusal(format!(r#"{{"id":1,"method":"m","params":{deep}}}"#)).0,
        -32600
    );
}

#[test]
fn a_complaint_never_repeats_the_message_at_length() {
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":"{}"}}"#,
        "ä".repeat(9_999)
    );
    assert_eq!(refusal(message), (-32600, Some(number(1))));
}

#[test]
fn white_space_and_a_byte_order_mark_around_a_message_are_skipped() {
    for text in [
        "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
        " \t{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n",
        "\n\n{ \"jsonrpc\" : \"2.0\",\r\n \"id\" : 1 , \"method\" : \"ping\" } \n",
    ] {
        assert_eq!(request(text).id, number(1), "{text:?}");
    }
}

#[test]
fn a_response_carries_its_result_raw() {
    let result = response(r#"{"jsonrpc":"2.0","id":"s-1","result":{"action":"accept"}}"#);
    assert_eq!(result.id, Some(RequestId::String("s-1".into())));
    assert_eq!(
        result.outcome.expect("result").get(),
        r#"{"action":"accept"}"#
    );
    let null = response(r#"{"jsonrpc":"2.0","id":1,"result":null,"error":null}"#);
    assert_eq!(null.outcome.expect("result").get(), "null");
}

#[test]
fn an_error_response_carries_the_clients_error() {
    let text = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no","data":{"a":1}}}"#;
    let error = response(text).outcome.expect_err("error");
    assert_eq!((error.code, &*error.message), (-1, "no"));
    assert_eq!(error.data.expect("data").get(), r#"{"a":1}"#);
}

#[test]
fn a_malformed_answer_still_ends_the_request_it_names() {
    for text in [
        r#"{"jsonrpc":"2.0","id":1,"error":"no"}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":[1,"no"]}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"no"},"result":{}}"#,
    ] {
        let response = response(text);
        assert_eq!(response.id, Some(number(1)));
        assert_eq!(response.outcome.expect_err("error").code, -32603, "{text}");
    }
}

#[test]
fn an_error_about_an_unreadable_message_has_no_id() {
    for text in [
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#,
    ] {
        let response = response(text);
        assert_eq!(response.id, None);
        assert_eq!(response.outcome.expect_err("error").code, -32700);
    }
}

#[test]
fn a_response_that_is_none_is_never_answered_under_its_id() {
    for text in [
        r#"{"jsonrpc":"2.0","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"error":{"code":1,"message":"m"}}"#,
        r#"{"jsonrpc":"1.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"result":{}}"#,
        r#"{"jsonrpc":2,"id":1,"error":{"code":1,"message":"m"}}"#,
    ] {
        assert_eq!(refusal(text), (-32600, None), "{text}");
    }
}

#[test]
fn a_batch_is_split_into_its_members() {
    let text = r#" [{"jsonrpc":"2.0","id":1,"method":"ping"}, 5,[]]"#;
    let Incoming::Batch(members) = read(text) else {
        panic!("{text}")
    };
    let members: Vec<_> = members.into_iter().map(RawValue::get).collect();
    assert_eq!(
        members,
        [r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "5", "[]"]
    );
    assert_eq!(request(members[0]).method, "ping");
}

#[test]
fn an_empty_batch_is_an_invalid_request() {
    assert_eq!(refusal("[]"), (-32600, None));
    assert_eq!(refusal("\u{feff} [ ] "), (-32600, None));
}

#[test]
fn members_of_an_object_stand_in_order() {
    let members: Members<'_> = serde_json::from_str(r#"{"b":1,"a":{}}"#).expect("object");
    let keys: Vec<_> = members.0.iter().map(|(key, _)| &**key).collect();
    assert_eq!(keys, ["b", "a"]);
    assert_eq!(members.repeated(), None);
    let twice: Members<'_> = serde_json::from_str(r#"{"a":1,"\u0061":2}"#).expect("object");
    assert_eq!(twice.repeated(), Some("a"));
    assert!(serde_json::from_str::<Members<'_>>("[1]").is_err());
}

/// Texts near a message: JSON's own characters, and a message with a few bytes changed.
fn near_messages() -> impl Strategy<Value = Vec<u8>> {
    let message = br#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"a","_meta":{}}}"#;
    let changes = proptest::collection::vec((0..message.len(), any::<u8>()), 0..3);
    prop_oneof![
        r#"[\[\]{}":,0-9.eE\-nultrfas\\ ]{0,40}"#.prop_map(String::into_bytes),
        changes.prop_map(move |changes| {
            let mut bytes = message.to_vec();
            for (at, byte) in changes {
                bytes[at] = byte;
            }
            bytes
        }),
    ]
}

proptest! {
    #[test]
    fn a_parse_error_is_text_that_is_no_json_and_nothing_else(bytes in near_messages()) {
        let is_json = std::str::from_utf8(&bytes)
            .is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok());
        match parse(&bytes) {
            Ok(_) => prop_assert!(is_json),
            Err(error) => {
                prop_assert_eq!(error.error.code, if is_json { -32600 } else { -32700 });
                prop_assert!(is_json || error.id.is_none());
            }
        }
    }
}
