use super::*;

fn optional() -> InputRequest {
    ask(Form::new().field(Field::text("name").optional()))
}

fn required() -> InputRequest {
    ask(Form::new().field(Field::text("name")))
}

#[test]
fn three_actions_are_three_outcomes() {
    let none = || json!({});
    let ask = optional();
    assert_eq!(
        answer(&ask, &json!({"action": "accept"})),
        Ok(elicited(Action::Accept, none()))
    );
    assert_eq!(
        answer(&ask, &json!({"action": "decline"})),
        Ok(elicited(Action::Decline, none()))
    );
    assert_eq!(
        answer(&ask, &json!({"action": "cancel", "content": null})),
        Ok(elicited(Action::Cancel, none()))
    );
}

#[test]
fn any_other_action_is_an_error() {
    let expected = "`action`: expected \"accept\", \"decline\" or \"cancel\", got";
    for (action, got) in [
        (json!("maybe"), "\"maybe\""),
        (json!(1), "a number"),
        (Value::Null, "null"),
    ] {
        assert_eq!(
            answer(&optional(), &json!({"action": action})),
            Err(format!("{expected} {got}"))
        );
    }
    assert_eq!(
        answer(&optional(), &json!({})),
        Err(format!("{expected} nothing"))
    );
}

#[test]
fn missing_content_is_enough_if_no_field_is_required() {
    for missing in [
        json!({"action": "accept"}),
        json!({"action": "accept", "content": null}),
    ] {
        assert_eq!(
            answer(&ask(Form::new()), &missing),
            Ok(elicited(Action::Accept, json!({})))
        );
        let defaulted = ask(Form::new().field(Field::boolean("ok").default(true)));
        assert_eq!(
            answer(&defaulted, &missing),
            Ok(elicited(Action::Accept, json!({"ok": true})))
        );
        assert_eq!(
            answer(&required(), &missing),
            Err("`name`: expected a string, got nothing".into())
        );
    }
}

#[test]
fn content_is_checked_and_what_is_unknown_dropped() {
    let wrong = json!({"action": "accept", "content": {"wrong": 1}});
    assert_eq!(
        answer(&required(), &wrong),
        Err("`name`: expected a string, got nothing".into())
    );
    let more = json!({"action": "accept", "content": {"wrong": 1, "name": "N"}, "_meta": {}});
    assert_eq!(
        answer(&required(), &more),
        Ok(elicited(Action::Accept, json!({"name": "N"})))
    );
    let text = json!({"action": "accept", "content": "N"});
    assert_eq!(
        answer(&required(), &text),
        Err("`content`: expected an object, got a string".into())
    );
}

#[test]
fn content_beside_a_refusal_is_ignored() {
    for content in [json!({"name": 1}), json!("x"), json!([])] {
        let declined = json!({"action": "decline", "content": content});
        assert_eq!(
            answer(&required(), &declined),
            Ok(elicited(Action::Decline, json!({})))
        );
    }
}

#[test]
fn an_accepted_url_has_no_content() {
    let accepted = json!({"action": "accept", "content": {"token": "x"}});
    assert_eq!(
        answer(&url(), &accepted),
        Ok(elicited(Action::Accept, json!({})))
    );
    assert_eq!(
        answer(&url(), &json!({"action": "cancel"})),
        Ok(elicited(Action::Cancel, json!({})))
    );
}

#[test]
fn an_answer_is_an_object() {
    for (wrong, got) in [
        (json!(["accept"]), "a list"),
        (Value::Null, "null"),
        (json!(true), "a boolean"),
    ] {
        assert_eq!(
            answer(&optional(), &wrong),
            Err(format!("expected an object, got {got}"))
        );
    }
}

#[test]
fn a_completion_has_a_role_a_model_and_content() {
    let good = json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "hi"}, "more": 1});
    let ask = sample(json!({}));
    let Ok(InputResponse::Sample(result)) = answer(&ask, &good) else {
        panic!("a good completion")
    };
    assert_eq!(Value::Object(result), good);
    let list = json!({"role": "assistant", "model": "m", "content": []});
    assert!(answer(&ask, &list).is_ok());
    for (key, fault) in [
        ("role", "`role`: expected a string, got nothing"),
        ("model", "`model`: expected a string, got nothing"),
        (
            "content",
            "`content`: expected an object or a list, got nothing",
        ),
    ] {
        let mut bad = good.clone();
        bad.as_object_mut().expect("object").remove(key);
        assert_eq!(answer(&ask, &bad), Err(fault.into()));
    }
}

#[test]
fn roots_have_a_uri_and_perhaps_a_name() {
    let good = json!({"roots": [{"uri": "file:///a"}, {"uri": "file:///b", "name": "B"}]});
    let Ok(InputResponse::Roots(roots)) = answer(&InputRequest::Roots, &good) else {
        panic!("good roots")
    };
    assert_eq!(roots.len(), 2);
    assert_eq!(roots[1]["name"], "B");
    let fault = "`roots[0]`: expected an object with a string `uri`, and perhaps a string `name`";
    for bad in [
        json!(["file:///a"]),
        json!([{"name": "x"}]),
        json!([{"uri": "u", "name": 1}]),
    ] {
        assert_eq!(
            answer(&InputRequest::Roots, &json!({"roots": bad})),
            Err(fault.into())
        );
    }
    assert_eq!(
        answer(&InputRequest::Roots, &json!({})),
        Err("`roots`: expected a list, got nothing".into())
    );
}

#[test]
fn deep_nesting_is_dropped_or_refused_but_never_overflows() {
    let deep = "[".repeat(10_000) + &"]".repeat(10_000);
    let raw = |text: String| RawValue::from_string(text).expect("JSON");
    let beside = raw(format!(
        r#"{{"action":"accept","x":{deep},"content":{{"y":{deep},"name":"N"}}}}"#
    ));
    assert_eq!(
        read(&required(), &beside),
        Ok(elicited(Action::Accept, json!({"name": "N"})))
    );
    let inside = raw(format!(
        r#"{{"action":"accept","content":{{"name":{deep}}}}}"#
    ));
    assert!(read(&required(), &inside).is_err());
    let completion = raw(format!(
        r#"{{"role":"assistant","model":"m","content":{deep}}}"#
    ));
    assert!(read(&sample(json!({})), &completion).is_err());
    assert!(read(&InputRequest::Roots, &raw(format!(r#"{{"roots":{deep}}}"#))).is_err());
    assert!(read(&required(), &raw(deep)).is_err());
}
