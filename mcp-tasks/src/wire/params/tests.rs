use super::*;

fn params(text: &str) -> Params<'_> {
    serde_json::from_str(text).expect("an object")
}

fn code<T>(result: Result<T, RpcError>) -> i64 {
    result.err().expect("refused").code
}

#[test]
fn a_string_parameter_is_read_or_named_in_the_refusal() {
    assert_eq!(
        params(r#"{"name":"a\"b"}"#).tool_name().expect("name"),
        "a\"b"
    );
    assert!(matches!(
        params(r#"{"taskId":"t"}"#).task_id(),
        Ok(Cow::Borrowed("t"))
    ));
    for text in ["{}", r#"{"name":null}"#] {
        let error = params(text).tool_name().expect_err("missing");
        assert_eq!((error.code, &*error.message), (-32602, "`name` is missing"));
    }
    let error = params(r#"{"taskId":7}"#).task_id().expect_err("ill-typed");
    assert_eq!(
        (error.code, &*error.message),
        (-32602, "`taskId` must be a string")
    );
}

#[test]
fn an_empty_cursor_is_a_cursor() {
    assert_eq!(params("{}").cursor().expect("absent"), None);
    assert_eq!(
        params(r#"{"cursor":""}"#)
            .cursor()
            .expect("empty")
            .as_deref(),
        Some("")
    );
    assert_eq!(code(params(r#"{"cursor":1}"#).cursor()), -32602);
}

#[test]
fn arguments_are_an_object_or_absent() {
    for text in ["{}", r#"{"arguments":null}"#] {
        assert!(params(text).arguments().expect("absent").is_none());
    }
    let given = params(r#"{"arguments": {"a":1} }"#);
    assert_eq!(
        given.arguments().expect("object").expect("given").get(),
        r#"{"a":1}"#
    );
    for arguments in ["[]", "1", "\"{}\"", "true"] {
        let text = format!(r#"{{"arguments":{arguments}}}"#);
        assert_eq!(code(params(&text).arguments()), -32602, "{arguments}");
    }
}

#[test]
fn a_cancelled_id_that_cannot_be_read_is_none() {
    assert_eq!(
        params(r#"{"requestId":7}"#).cancelled_id(),
        Some(RequestId::Number(7.into()))
    );
    for text in [
        "{}",
        r#"{"requestId":null}"#,
        r#"{"requestId":1.5}"#,
        r#"{"requestId":{}}"#,
    ] {
        assert_eq!(params(text).cancelled_id(), None, "{text}");
    }
}

#[test]
fn a_log_level_is_one_of_eight_words() {
    assert_eq!(
        params(r#"{"level":"emergency"}"#).level().expect("level"),
        LogLevel::Emergency
    );
    for text in [
        "{}",
        r#"{"level":"loud"}"#,
        r#"{"level":"Info"}"#,
        r#"{"level":3}"#,
    ] {
        assert_eq!(code(params(text).level()), -32602, "{text}");
    }
}

#[test]
fn input_responses_keep_their_order_and_raw_answers() {
    let given = params(r#"{"inputResponses":{"b":{"action":"accept"},"a":7}}"#);
    let responses = given.input_responses().expect("object").expect("given");
    let responses: Vec<_> = responses
        .iter()
        .map(|(key, raw)| (&**key, raw.get()))
        .collect();
    assert_eq!(responses, [("b", r#"{"action":"accept"}"#), ("a", "7")]);
    for text in ["{}", r#"{"inputResponses":null}"#] {
        assert!(params(text).input_responses().expect("absent").is_none());
    }
    for responses in ["[]", "1", r#"{"a":1,"a":2}"#] {
        let text = format!(r#"{{"inputResponses":{responses}}}"#);
        assert_eq!(code(params(&text).input_responses()), -32602, "{responses}");
    }
}

#[test]
fn request_state_is_a_string_or_absent() {
    assert_eq!(params("{}").request_state().expect("absent"), None);
    let given = params(r#"{"requestState":"s"}"#);
    assert_eq!(given.request_state().expect("string").as_deref(), Some("s"));
    assert_eq!(
        code(params(r#"{"requestState":{}}"#).request_state()),
        -32602
    );
}

#[test]
fn a_task_wish_is_a_whole_number_of_milliseconds() {
    for (text, wish) in [
        ("{}", None),
        (r#"{"task":null}"#, None),
        (r#"{"task":{}}"#, Some(None)),
        (r#"{"task":{"ttl":0}}"#, Some(Some(0))),
        (r#"{"task":{"ttl":60000,"other":1}}"#, Some(Some(60_000))),
        (
            r#"{"task":{"ttl":99999999999999999999999}}"#,
            Some(Some(u64::MAX)),
        ),
    ] {
        assert_eq!(params(text).task().expect(text), wish, "{text}");
    }
}

#[test]
fn any_other_task_wish_is_refused() {
    for task in ["[]", "7", "true", "\"\""] {
        assert_eq!(
            code(params(&format!(r#"{{"task":{task}}}"#)).task()),
            -32602,
            "{task}"
        );
    }
    for ttl in ["null", "-1", "1.5", "1e3", "\"60000\"", "{}"] {
        let text = format!(r#"{{"task":{{"ttl":{ttl}}}}}"#);
        assert_eq!(code(params(&text).task()), -32602, "{ttl}");
    }
}

#[test]
fn a_listen_filter_keeps_what_is_served() {
    let text =
        r#"{"notifications":{"toolsListChanged":true,"promptsListChanged":true,"taskIds":["a"]}}"#;
    let filter = params(text).listen_filter().expect("filter");
    assert_eq!(
        filter,
        ListenFilter {
            tools_list_changed: true,
            task_ids: Some(vec!["a".into()])
        }
    );
    let empty = params(r#"{"notifications":{}}"#)
        .listen_filter()
        .expect("filter");
    assert_eq!(empty, ListenFilter::default());
    for text in [
        "{}",
        r#"{"notifications":[]}"#,
        r#"{"notifications":{"taskIds":"a"}}"#,
        r#"{"notifications":{"taskIds":[1]}}"#,
        r#"{"notifications":{"toolsListChanged":1}}"#,
    ] {
        assert_eq!(code(params(text).listen_filter()), -32602, "{text}");
    }
}
