mod nulls;
mod ways;
mod words;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::check::{Check, Scope, has_left};
use crate::tool::BoxFuture;
use crate::tool::call::{Call, Faults};
use crate::tool::output::{IntoOutput, Output};
use crate::tool::tests::context;

fn raw(json: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(json).unwrap()
}

/// What a call with these arguments is told, where decoding has found nothing wrong.
fn told(scope: Scope, schema: &Value, arguments: &Value) -> Option<String> {
    after(scope, schema, arguments, || {
        Ok(Box::pin(async { ().into_output() }))
    })
}

fn after(
    scope: Scope,
    schema: &Value,
    arguments: &Value,
    decode: impl FnOnce() -> Result<BoxFuture<'static, Output>, Faults>,
) -> Option<String> {
    after_text(scope, schema, &arguments.to_string(), decode)
}

/// The same for arguments that are no `Value`.
fn after_text(
    scope: Scope,
    schema: &Value,
    arguments: &str,
    decode: impl FnOnce() -> Result<BoxFuture<'static, Output>, Faults>,
) -> Option<String> {
    let check = Check::new("probe", &raw(schema), scope).unwrap();
    let arguments = RawValue::from_string(arguments.to_owned()).unwrap();
    let context = context();
    let call = Call::new(&context, Some(&arguments)).unwrap();
    let kept = check.kept(&call, decode());
    kept.err().map(|faults| faults.text("probe"))
}

/// One property `v` of this schema, and a value for it.
fn one(schema: &Value, value: &Value) -> String {
    let schema = json!({ "type": "object", "properties": { "v": schema } });
    let text = told(Scope::Handwritten, &schema, &json!({ "v": value })).expect("it is wrong");
    let line = text.strip_prefix("Invalid arguments for `probe`:\n- ");
    line.unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[test]
fn a_fault_says_where_it_is_in_the_words_of_decoding() {
    let schema = json!({
        "type": "object",
        "minProperties": 1,
        "properties": { "filter": {
            "properties": { "tags": { "items": { "pattern": "^#" } } },
            "required": ["by"],
            "additionalProperties": false,
        } },
    });
    let arguments = json!({ "filter": { "tags": ["#a", "b"], "size": 1 } });
    let text = told(Scope::Handwritten, &schema, &arguments).unwrap();
    let mut lines: Vec<&str> = text.lines().skip(1).collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "- `filter.by`: missing",
            "- `filter.size`: unknown",
            "- `filter.tags[1]`: must match the pattern `^#`, got \"b\"",
        ]
    );
    let text = told(Scope::Handwritten, &schema, &json!({})).unwrap();
    assert!(
        text.ends_with("- `arguments`: must have at least 1 members, got 0"),
        "{text}"
    );
}

#[test]
fn an_argument_that_decoding_has_found_wrong_is_not_told_of_twice() {
    let schema = json!({
        "type": "object",
        "properties": { "age": { "type": "integer", "minimum": 18 }, "aged": { "minimum": 1 } },
    });
    let arguments = json!({ "age": "x", "aged": 0 });
    let text = after(Scope::Handwritten, &schema, &arguments, || {
        let mut faults = Faults::default();
        faults.argument("age", "expected u8");
        Err(faults)
    });
    assert_eq!(
        text.unwrap(),
        "Invalid arguments for `probe`:\n- `age`: expected u8\n- `aged`: must be at least 1, got 0"
    );
}

#[test]
fn of_a_generated_schema_only_what_decoding_leaves_is_looked_at() {
    let schema = json!({
        "type": "object",
        "properties": {
            "kind": { "enum": ["a"] },
            "name": { "type": "string", "maxLength": 3 },
            "either": { "anyOf": [{ "type": "string", "pattern": "^a" }, { "type": "integer" }] },
        },
        "required": ["kind"],
        "additionalProperties": false,
    });
    // An alias of a variant, one of a field, and a type that takes more than it says.
    let taken = json!({ "sort": "A", "name": 7, "either": true });
    assert_eq!(told(Scope::Generated, &schema, &taken), None);
    let broken = json!({ "kind": "a", "name": "long", "either": "b" });
    let text = told(Scope::Generated, &schema, &broken).unwrap();
    assert!(
        text.contains("`name`: must have at most 3 characters, got 4"),
        "{text}"
    );
    assert!(text.contains("`either`: is none of the forms"), "{text}");
}

#[test]
fn keywords_that_extend_a_generated_schema_are_looked_at_but_for_the_words_of_enums() {
    let told = |schema: &Value, value: &Value| {
        let schema = json!({ "type": "object", "properties": { "v": schema } });
        told(Scope::Generated, &schema, &json!({ "v": value }))
    };
    for (schema, value, wrong) in [
        (
            json!({ "uniqueItems": true }),
            json!([1, 1]),
            "must not have an item twice",
        ),
        (
            json!({ "enum": [1, 2, null] }),
            json!(3),
            "must be one of 1, 2, null, got 3",
        ),
        (
            json!({ "const": true }),
            json!(false),
            "must be true, got false",
        ),
        (
            json!({ "not": { "const": "root" } }),
            json!("root"),
            "must not be what the schema excludes by `not`",
        ),
    ] {
        let text = told(&schema, &value).unwrap_or_else(|| panic!("{schema}"));
        assert!(text.ends_with(&format!("- `v`: {wrong}")), "{text}");
    }
    // The alias of a variant is none of its names.
    for schema in [json!({ "enum": ["a", null] }), json!({ "const": "a" })] {
        assert_eq!(told(&schema, &json!("alias")), None, "{schema}");
    }
}

#[test]
fn a_generated_schema_with_such_a_keyword_is_checked() {
    for (schema, has) in [
        (json!({ "uniqueItems": true }), true),
        (json!({ "not": {} }), true),
        (json!({ "enum": [1] }), true),
        (json!({ "const": false }), true),
        (
            json!({ "enum": ["a", null], "items": { "const": "b" } }),
            false,
        ),
    ] {
        let schema = raw(&json!({ "properties": { "v": schema } }));
        assert_eq!(has_left(&schema), has, "{schema}");
    }
}

#[test]
fn what_cannot_be_read_is_refused_though_decoding_has_no_use_for_it() {
    let schema = json!({
        "type": "object",
        "properties": { "name": { "type": "string", "pattern": "^[a-z]+$" } },
    });
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    for (more, wrong) in [
        (deep.as_str(), "nested too deep"),
        ("[0, 1e999]", "number out of range"),
        (r#""\ud800""#, "unexpected end of hex escape"),
    ] {
        let arguments = format!(r#"{{"name": "BAD", "more": {more}}}"#);
        for scope in [Scope::Generated, Scope::Handwritten] {
            let told = after_text(scope, &schema, &arguments, || {
                Ok(Box::pin(async { ().into_output() }))
            });
            let told = told.expect("it is refused");
            assert!(told.contains("- `more") && told.ends_with(wrong), "{told}");
        }
    }
}

#[test]
fn a_long_name_leaves_room_for_the_other_faults() {
    let name = "k".repeat(20_000);
    let schema = json!({
        "type": "object",
        "properties": { "a": { "additionalProperties": { "minimum": 1 } }, "z": { "minimum": 1 } },
    });
    let arguments = json!({ "a": { name: 0 }, "z": 0 });
    let told = told(Scope::Handwritten, &schema, &arguments).unwrap();
    assert!(
        told.ends_with("- `z`: must be at least 1, got 0"),
        "{} bytes",
        told.len()
    );
    assert!(told.len() < 600, "{} bytes", told.len());
}

#[test]
fn what_is_found_in_two_ways_is_told_once() {
    let form = json!({ "properties": { "v": { "minimum": 1 } } });
    let schema = json!({ "type": "object", "allOf": [form, form] });
    assert_eq!(
        told(Scope::Handwritten, &schema, &json!({ "v": 0 })).unwrap(),
        "Invalid arguments for `probe`:\n- `v`: must be at least 1, got 0"
    );
}

#[test]
fn a_tool_without_arguments_names_those_that_it_is_given() {
    let schema = json!({ "type": "object", "additionalProperties": false });
    let arguments = json!({ "a": 1, "b": 2 });
    assert_eq!(
        told(Scope::Undecoded, &schema, &arguments).unwrap(),
        "Invalid arguments for `probe`:\n- `a`: unknown\n- `b`: unknown"
    );
}

#[test]
fn an_argument_that_no_parameter_takes_is_told_of_once() {
    let schema = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    let many: serde_json::Map<String, Value> = (0..40)
        .map(|n| (format!("k{n}"), Value::Bool(true)))
        .collect();
    let text = after(Scope::Handwritten, &schema, &Value::Object(many), || {
        let mut faults = Faults::default();
        (0..40).for_each(|n| faults.unknown(&format!("k{n}")));
        Err(faults)
    });
    let text = text.unwrap();
    assert!(!text.contains("`: unknown"), "{text}");
}

#[test]
fn a_schema_that_is_none_says_so_and_nothing_is_fetched() {
    let wrong = |schema: Value| {
        Check::new("probe", &raw(&schema), Scope::Handwritten)
            .err()
            .unwrap()
    };
    let text = wrong(json!({ "type": "object", "properties": { "v": { "pattern": "(" } } }));
    assert!(
        text.starts_with(
            "tool `probe`: its input schema is no JSON Schema: at `/properties/v/pattern`"
        ),
        "{text}"
    );
    let text = wrong(
        json!({ "type": "object", "properties": { "v": { "$ref": "https://example.com/v" } } }),
    );
    assert!(text.contains("nothing is fetched"), "{text}");
    let text = wrong(json!({ "type": "object", "$schema": "https://example.com/mine" }));
    assert!(
        text.starts_with("tool `probe`: its input schema is no JSON Schema: Unknown meta-schema"),
        "{text}"
    );
}

#[test]
fn the_revision_of_json_schema_is_the_one_that_the_schema_names() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": { "v": { "$ref": "#/definitions/pair" } },
        "definitions": { "pair": { "items": [{ "minimum": 1 }] } },
    });
    assert_eq!(
        told(Scope::Handwritten, &schema, &json!({ "v": [0] })).unwrap(),
        "Invalid arguments for `probe`:\n- `v[0]`: must be at least 1, got 0"
    );
}

#[test]
fn numbers_beyond_those_of_javascript_are_compared_exactly() {
    let schema = json!({
        "type": "object",
        "properties": { "v": { "maximum": 9_007_199_254_740_992_u64 } },
    });
    let told = told(
        Scope::Handwritten,
        &schema,
        &json!({ "v": 9_007_199_254_740_993_u64 }),
    );
    assert!(told.unwrap().ends_with("got 9007199254740993"));
}

#[test]
fn what_a_type_promises_is_checked_in_the_spelling_that_was_read() {
    #[derive(Deserialize, JsonSchema)]
    struct User {
        #[schemars(regex(pattern = "^[a-z]+$"))]
        name: String,
    }
    let _ = |user: User| user.name;
    let schema = json!({ "type": "object", "properties": { "user": schemars::schema_for!(User) } });
    let check = Check::new("probe", &raw(&schema), Scope::Generated).unwrap();
    let (context, arguments) = (context(), raw(&json!({ "user": "{\"name\":\"Ann\"}" })));
    let call = Call::new(&context, Some(&arguments)).unwrap();
    call.read_as(Some("user"), r#"{"name":"Ann"}"#.to_owned().into());
    let kept = check.kept(&call, Ok(Box::pin(async { ().into_output() })));
    let text = kept.err().map(|faults| faults.text("probe")).unwrap();
    assert!(
        text.ends_with("- `user.name`: must match the pattern `^[a-z]+$`, got \"Ann\""),
        "{text}"
    );
}
