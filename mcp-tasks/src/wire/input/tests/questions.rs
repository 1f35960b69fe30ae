use super::*;

#[test]
fn a_form_names_its_mode_since_2025_11_25() {
    let form = ask(Form::new()
        .field(Field::text("z").description("Last letter"))
        .field(Field::boolean("a").optional()));
    let rest = r#""message":"Well?","requestedSchema":{"type":"object","properties":{"z":{"type":"string","description":"Last letter"},"a":{"type":"boolean"}},"required":["z"]}}"#;
    let text = |revision| Value::Object(params(&form, revision).expect("params")).to_string();
    assert_eq!(text(OLD), format!("{{{rest}"));
    assert_eq!(text(NEW), format!("{{\"mode\":\"form\",{rest}"));
    assert_eq!(text(MODERN), format!("{{\"mode\":\"form\",{rest}"));
}

#[test]
fn an_empty_form_is_an_object_without_required() {
    let params = params(&ask(Form::new()), MODERN).expect("params");
    assert_eq!(
        params["requestedSchema"],
        json!({"type": "object", "properties": {}})
    );
}

#[test]
fn a_field_with_a_default_is_not_required() {
    let form = ask(Form::new().field(Field::integer("n").default(1)));
    for revision in [OLD, NEW, MODERN] {
        assert_eq!(
            params(&form, revision).expect("params")["requestedSchema"].get("required"),
            None
        );
    }
}

#[test]
fn a_text_field() {
    let field = Field::text("f")
        .title("T")
        .description("D")
        .min_len(1)
        .max_len(9)
        .format(Format::DateTime)
        .default("x");
    let old = r#"{"type":"string","title":"T","description":"D","minLength":1,"maxLength":9,"format":"date-time"}"#;
    assert_eq!(property(field.clone(), OLD), old);
    let new = old.replace('}', r#","default":"x"}"#);
    assert_eq!(property(field.clone(), NEW), new);
    assert_eq!(property(field, MODERN), new);
}

#[test]
fn number_fields() {
    let integer = Field::integer("f").min(0).max(150).default(30);
    assert_eq!(
        property(integer.clone(), OLD),
        r#"{"type":"integer","minimum":0,"maximum":150}"#
    );
    assert_eq!(
        property(integer, NEW),
        r#"{"type":"integer","minimum":0,"maximum":150,"default":30}"#
    );
    let number = Field::number("f").min(0.5).default(95.5);
    assert_eq!(
        property(number.clone(), OLD),
        r#"{"type":"number","minimum":0.5}"#
    );
    assert_eq!(
        property(number, MODERN),
        r#"{"type":"number","minimum":0.5,"default":95.5}"#
    );
}

#[test]
fn a_boolean_has_its_default_in_every_revision() {
    for revision in [OLD, NEW, MODERN] {
        assert_eq!(
            property(Field::boolean("f").default(true), revision),
            r#"{"type":"boolean","default":true}"#
        );
    }
}

#[test]
fn an_untitled_choice() {
    let field = Field::choice("f", ["a", "b"]).default("a");
    assert_eq!(
        property(field.clone(), OLD),
        r#"{"type":"string","enum":["a","b"]}"#
    );
    assert_eq!(
        property(field, NEW),
        r#"{"type":"string","enum":["a","b"],"default":"a"}"#
    );
}

#[test]
fn a_titled_choice() {
    let field = Field::choice("f", [("a", "A!"), ("b", "B!")]);
    let names = r#"{"type":"string","enum":["a","b"],"enumNames":["A!","B!"]}"#;
    let pairs =
        r#"{"type":"string","oneOf":[{"const":"a","title":"A!"},{"const":"b","title":"B!"}]}"#;
    assert_eq!(property(field.clone(), OLD), names);
    assert_eq!(property(field.clone(), NEW), pairs);
    assert_eq!(property(field.clone(), MODERN), pairs);
    assert_eq!(property(field.enum_names(), MODERN), names);
}

#[test]
fn a_list_of_choices() {
    let field = Field::choices("f", ["a", "b"])
        .min_items(1)
        .max_items(2)
        .default(["b"]);
    assert_eq!(
        property(field, NEW),
        r#"{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["a","b"]},"default":["b"]}"#
    );
    assert_eq!(
        property(Field::choices("f", [("a", "A!")]), MODERN),
        r#"{"type":"array","items":{"anyOf":[{"const":"a","title":"A!"}]}}"#
    );
}

#[test]
fn a_url_has_an_id_in_2025_11_25_only() {
    let new =
        json!({"mode": "url", "message": "Go", "url": "https://x.y/z", "elicitationId": "e1"});
    let modern = json!({"mode": "url", "message": "Go", "url": "https://x.y/z"});
    assert_eq!(params(&url(), NEW).map(Value::Object), Some(new));
    assert_eq!(params(&url(), MODERN).map(Value::Object), Some(modern));
}

#[test]
fn sampling_goes_out_as_it_is_and_roots_have_no_params() {
    let wish = json!({"messages": [], "maxTokens": 100});
    assert_eq!(
        params(&sample(wish.clone()), NEW).map(Value::Object),
        Some(wish)
    );
    assert_eq!(params(&InputRequest::Roots, NEW), None);
}
