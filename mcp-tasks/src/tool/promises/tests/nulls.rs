//! `null` that stands for what is left out.

use serde_json::json;

use super::told;
use crate::tool::promises::check::Scope;

#[test]
fn null_counts_as_left_out_where_arguments_are_decoded() {
    let schema = json!({
        "type": "object",
        "properties": { "note": { "type": "string", "pattern": "^a" } },
        "maxProperties": 1,
    });
    let null = json!({ "note": null });
    assert_eq!(told(Scope::Handwritten, &schema, &null), None);
    assert_eq!(
        told(Scope::Undecoded, &schema, &null).unwrap(),
        "Invalid arguments for `probe`:\n- `note`: it is not of type \"string\""
    );
}

#[test]
fn only_a_null_that_the_schema_refuses_counts_as_left_out() {
    let schema = json!({
        "type": "object",
        "properties": {
            "note": { "type": ["string", "null"] },
            "by": { "type": "string" },
            "tags": { "type": "object", "minProperties": 1 },
            "count": { "minimum": 5 },
        },
        "required": ["note", "by"],
    });
    let arguments = json!({ "note": null, "by": null, "tags": { "a": null }, "count": 1 });
    for (scope, text) in [
        (
            Scope::Handwritten,
            "- `by`: missing\n- `count`: must be at least 5, got 1",
        ),
        (Scope::Generated, "- `count`: must be at least 5, got 1"),
    ] {
        let told = told(scope, &schema, &arguments).unwrap();
        let mut lines: Vec<&str> = told.lines().skip(1).collect();
        lines.sort_unstable();
        assert_eq!(lines.join("\n"), text);
    }
}

#[test]
fn null_in_one_of_several_forms_counts_as_left_out() {
    let schema = json!({
        "type": "object",
        "properties": { "by": { "anyOf": [
            { "type": "object", "properties": { "name": { "type": "string", "minLength": 2 } } },
            { "type": "integer" },
        ] } },
    });
    for by in [
        json!(null),
        json!({ "name": null }),
        json!({ "name": "Ann" }),
    ] {
        let arguments = json!({ "by": by });
        assert_eq!(told(Scope::Generated, &schema, &arguments), None, "{by}");
    }
    let short = json!({ "by": { "name": "A" } });
    assert!(told(Scope::Generated, &schema, &short).is_some());
}
