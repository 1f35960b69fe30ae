use serde_json::{Map, Value, json};

use super::{Field, Form, Format};

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other} is not an object"),
    }
}

#[track_caller]
fn accepts(form: &Form, content: Value, checked: Value) {
    assert_eq!(form.check(object(content)), Ok(object(checked)));
}

#[track_caller]
fn refuses(form: &Form, content: Value, fault: &str) {
    assert_eq!(form.check(object(content)), Err(fault.to_owned()));
}

#[track_caller]
fn invalid(form: &Form, fault: &str) {
    assert_eq!(form.validate(), Err(fault.to_owned()));
}

fn one(field: impl Into<Field>) -> Form {
    Form::new().field(field)
}

#[test]
fn an_empty_form_accepts_an_empty_answer() {
    accepts(&Form::new(), json!({}), json!({}));
}

#[test]
fn a_required_field_must_be_sent() {
    let form = one(Field::text("name"));
    accepts(&form, json!({"name": ""}), json!({"name": ""}));
    refuses(&form, json!({}), "`name`: expected a string, got nothing");
    refuses(
        &form,
        json!({"name": null}),
        "`name`: expected a string, got nothing",
    );
}

#[test]
fn an_optional_field_may_be_left_out_or_null() {
    let form = one(Field::integer("age").optional());
    accepts(&form, json!({}), json!({}));
    accepts(&form, json!({"age": null}), json!({}));
    refuses(
        &form,
        json!({"age": "x"}),
        "`age`: expected a whole number, got \"x\"",
    );
}

#[test]
fn a_default_stands_in_for_what_is_missing() {
    let form =
        one(Field::integer("age").default(30)).field(Field::boolean("ok").default(true).optional());
    accepts(&form, json!({}), json!({"age": 30, "ok": true}));
    accepts(
        &form,
        json!({"age": null, "ok": false}),
        json!({"age": 30, "ok": false}),
    );
}

#[test]
fn fields_the_form_does_not_have_are_dropped() {
    accepts(
        &one(Field::boolean("ok")),
        json!({"extra": [1], "ok": true}),
        json!({"ok": true}),
    );
}

#[test]
fn all_faults_are_told_together_in_the_order_of_the_form() {
    let form = one(Field::text("b")).field(Field::boolean("a"));
    refuses(
        &form,
        json!({"a": "yes", "wrong": 1}),
        "`b`: expected a string, got nothing; `a`: expected true or false, got \"yes\"",
    );
}

#[test]
fn types_are_not_guessed() {
    refuses(
        &one(Field::text("f")),
        json!({"f": 1}),
        "`f`: expected a string, got 1",
    );
    refuses(
        &one(Field::text("f")),
        json!({"f": {}}),
        "`f`: expected a string, got an object",
    );
    refuses(
        &one(Field::number("f")),
        json!({"f": "1"}),
        "`f`: expected a number, got \"1\"",
    );
    refuses(
        &one(Field::boolean("f")),
        json!({"f": 1}),
        "`f`: expected true or false, got 1",
    );
    refuses(
        &one(Field::integer("f")),
        json!({"f": [1]}),
        "`f`: expected a whole number, got a list",
    );
}

#[test]
fn a_whole_number_may_be_written_with_a_fraction_of_zero() {
    let form = one(Field::integer("n"));
    accepts(&form, json!({"n": 30.0}), json!({"n": 30}));
    accepts(&form, json!({"n": -0.0}), json!({"n": 0}));
    refuses(
        &form,
        json!({"n": 30.5}),
        "`n`: expected a whole number, got 30.5",
    );
}

#[test]
fn a_whole_number_beyond_64_bits_is_refused() {
    let form = one(Field::integer("n"));
    accepts(&form, json!({"n": i64::MIN}), json!({"n": i64::MIN}));
    assert!(form.check(object(json!({"n": 1e300}))).is_err());
    assert!(form.check(object(json!({"n": u64::MAX}))).is_err());
    assert!(
        form.check(object(json!({"n": 9_223_372_036_854_775_808.0_f64})))
            .is_err()
    );
}

#[test]
fn numbers_keep_to_their_bounds() {
    let form =
        one(Field::integer("n").min(0).max(150)).field(Field::number("x").max(1.5).optional());
    accepts(&form, json!({"n": 0, "x": 1.5}), json!({"n": 0, "x": 1.5}));
    accepts(
        &form,
        json!({"n": 150, "x": -3}),
        json!({"n": 150, "x": -3}),
    );
    refuses(
        &form,
        json!({"n": -1, "x": 1.6}),
        "`n`: expected a whole number (0 to 150), got -1; `x`: expected a number (at most 1.5), got 1.6",
    );
}

#[test]
fn lengths_count_characters_not_bytes() {
    let form = one(Field::text("s").min_len(2).max_len(3));
    accepts(&form, json!({"s": "äöü"}), json!({"s": "äöü"}));
    refuses(
        &form,
        json!({"s": "ä"}),
        "`s`: expected a string (2 to 3 characters), got 1 characters",
    );
    refuses(
        &form,
        json!({"s": "abcd"}),
        "`s`: expected a string (2 to 3 characters), got 4 characters",
    );
}

#[test]
fn a_format_is_checked() {
    let form = one(Field::text("mail").format(Format::Email));
    accepts(&form, json!({"mail": "a@b.c"}), json!({"mail": "a@b.c"}));
    refuses(
        &form,
        json!({"mail": "a"}),
        "`mail`: expected an email address, got \"a\"",
    );
}

#[test]
fn a_choice_is_one_of_its_values_and_not_of_its_titles() {
    let form = one(Field::choice("c", [("r", "Red"), ("g", "Green")]));
    accepts(&form, json!({"c": "r"}), json!({"c": "r"}));
    refuses(
        &form,
        json!({"c": "Red"}),
        "`c`: expected one of \"r\", \"g\", got \"Red\"",
    );
}

#[test]
fn choices_keep_to_their_count_and_do_not_repeat() {
    let form = one(Field::choices("c", ["a", "b", "d"])
        .min_items(1)
        .max_items(2));
    let expected =
        "`c`: expected a list (1 to 2 items) of \"a\", \"b\", \"d\", each at most once, got";
    accepts(&form, json!({"c": ["d", "a"]}), json!({"c": ["d", "a"]}));
    refuses(&form, json!({"c": []}), &format!("{expected} 0 items"));
    refuses(
        &form,
        json!({"c": ["a", "b", "d"]}),
        &format!("{expected} 3 items"),
    );
    refuses(
        &form,
        json!({"c": ["a", "a"]}),
        &format!("{expected} \"a\" twice"),
    );
    refuses(
        &form,
        json!({"c": ["a", 1]}),
        &format!("{expected} 1 among them"),
    );
    refuses(&form, json!({"c": "a"}), &format!("{expected} \"a\""));
}

#[test]
fn a_fault_stays_short_whatever_was_sent() {
    let form = one(Field::choice("c", (0..100).map(|n| n.to_string())));
    let fault = form
        .check(object(json!({"c": "é".repeat(100_000)})))
        .unwrap_err();
    assert!(
        fault.ends_with("é\"…") && fault.contains("\"19\", 80 more"),
        "{fault}"
    );
    assert!(fault.len() < 400, "{}", fault.len());
}

#[test]
fn a_form_nobody_could_fill_in_is_invalid() {
    invalid(&one(Field::text("")), "a field has no name");
    invalid(
        &one(Field::text("a")).field(Field::boolean("a")),
        "two fields are named `a`",
    );
    invalid(
        &one(Field::choice("c", [""; 0])),
        "`c`: there is nothing to choose from",
    );
    invalid(
        &one(Field::choice("c", ["a", "a"])),
        "`c`: two choices have the value \"a\"",
    );
    invalid(
        &one(Field::integer("n").min(2).max(1)),
        "`n`: no value is at least 2 and at most 1",
    );
    invalid(
        &one(Field::choices("c", ["a"]).min_items(2)),
        "`c`: no value is at least 2 and at most 1",
    );
    invalid(
        &one(Field::number("x").max(f64::NAN)),
        "`x`: a bound or the default is not a finite number",
    );
}

#[test]
fn a_default_must_fit_its_own_field() {
    invalid(
        &one(Field::integer("n").max(5).default(6)),
        "`n`: the default does not fit the field: 6",
    );
    invalid(
        &one(Field::choice("c", ["a"]).default("b")),
        "`c`: the default does not fit the field: \"b\"",
    );
    invalid(
        &one(Field::text("a").min_len(1).default("")).field(Field::text("a")),
        "`a`: the default does not fit the field: 0 characters; two fields are named `a`",
    );
}

#[test]
fn fields_can_be_collected() {
    let form: Form = ["a", "b"].into_iter().map(Field::text).collect();
    assert_eq!(
        form,
        Form::new().field(Field::text("a")).field(Field::text("b"))
    );
    assert_eq!(form.validate(), Ok(()));
}

#[test]
fn a_form_of_one_field_has_no_room_for_more() {
    let form = Form::new().field(Field::boolean("yes"));
    assert_eq!(form.fields.capacity(), 1);
}
