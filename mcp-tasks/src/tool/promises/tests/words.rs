//! In which words a keyword is told of.

use serde_json::json;

use super::one;

#[test]
fn each_keyword_has_its_words_as_decoding_has() {
    for (schema, value, words) in [
        (
            json!({ "pattern": "^[a-z]+$" }),
            json!("Ann"),
            "must match the pattern `^[a-z]+$`, got \"Ann\"",
        ),
        (
            json!({ "minimum": 18 }),
            json!(7),
            "must be at least 18, got 7",
        ),
        (
            json!({ "maximum": 5.5 }),
            json!(6),
            "must be at most 5.5, got 6",
        ),
        (
            json!({ "exclusiveMinimum": 0 }),
            json!(0),
            "must be more than 0, got 0",
        ),
        (
            json!({ "exclusiveMaximum": 1 }),
            json!(1),
            "must be less than 1, got 1",
        ),
        (
            json!({ "multipleOf": 5 }),
            json!(7),
            "must be a multiple of 5, got 7",
        ),
        (
            json!({ "minLength": 2 }),
            json!("ä"),
            "must have at least 2 characters, got 1",
        ),
        (
            json!({ "maxLength": 2 }),
            json!("abc"),
            "must have at most 2 characters, got 3",
        ),
        (
            json!({ "minItems": 1 }),
            json!([]),
            "must have at least 1 items, got 0",
        ),
        (
            json!({ "maxItems": 1 }),
            json!([1, 2]),
            "must have at most 1 items, got 2",
        ),
        (
            json!({ "minProperties": 1 }),
            json!({}),
            "must have at least 1 members, got 0",
        ),
        (
            json!({ "maxProperties": 0 }),
            json!({ "a": 1 }),
            "must have at most 0 members, got 1",
        ),
        (
            json!({ "enum": ["a", 2] }),
            json!("b"),
            "must be one of \"a\", 2, got \"b\"",
        ),
        (
            json!({ "const": "a" }),
            json!("b"),
            "must be \"a\", got \"b\"",
        ),
        (
            json!({ "uniqueItems": true }),
            json!([1, 1]),
            "must not have an item twice",
        ),
        (
            json!({ "anyOf": [{ "minimum": 3 }, { "type": "string" }] }),
            json!(1),
            "is none of the forms that the schema allows",
        ),
        (
            json!({ "oneOf": [{ "minimum": 3 }, { "minimum": 4 }] }),
            json!(5),
            "is more than one of the forms of which the schema allows one",
        ),
        (
            json!({ "type": "string" }),
            json!(5),
            "it is not of type \"string\"",
        ),
    ] {
        assert_eq!(one(&schema, &value), format!("`v`: {words}"));
    }
}

#[test]
fn a_keyword_that_holds_schemas_has_words_that_do_not_repeat_them() {
    for (schema, value, words) in [
        (
            json!({ "not": { "type": "string" } }),
            json!("a"),
            "must not be what the schema excludes by `not`",
        ),
        (
            json!({ "contains": { "type": "string" }, "minContains": 2 }),
            json!(["a"]),
            "has fewer or more items than it may of those that `contains` of the schema tells of",
        ),
        (
            json!({ "propertyNames": { "pattern": "^a" } }),
            json!({ "b": 1 }),
            "has a member with a wrong name: must match the pattern `^a`, got \"b\"",
        ),
        (json!(false), json!(1), "is not allowed here"),
    ] {
        assert_eq!(one(&schema, &value), format!("`v`: {words}"));
    }
}
