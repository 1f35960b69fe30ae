//! What a schema promises and nobody checks.

use std::collections::{BTreeSet, HashSet};

use super::*;

#[test]
fn promises_that_nobody_checks_are_told_and_those_of_types_are_not() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only described")]
    struct User {
        #[schemars(regex(pattern = "^[a-z]+$"), length(max = 5))]
        name: String,
        #[schemars(range(min = 18))]
        age: u8,
    }
    let (spec, fill) = tool!(user: User);
    let (def, _) = describe(spec, fill).unwrap();
    assert_eq!(
        unchecked(spec, fill, &def).unwrap(),
        "tool `probe`: its input schema promises `maxLength`, `minimum`, `pattern`, which nothing checks"
    );
    let (spec, fill) = tool!(
        a: u8, b: i64, c: char, d: (u8, u8), e: NonZeroU32, f.min(Number::Int(5)): u8,
        g.min_len(2): String, h.max_items(3): Vec<char>, i: i8, j: u16
    );
    let (def, _) = describe(spec, fill).unwrap();
    assert_eq!(unchecked(spec, fill, &def), None);
}

#[test]
fn what_no_type_brings_along_is_told_beside_bounds_of_arg_and_at_zero() {
    #[derive(Deserialize, JsonSchema)]
    #[schemars(transparent)]
    #[allow(dead_code, reason = "only described")]
    struct Name(#[schemars(regex(pattern = "^[a-z]+$"))] String);
    #[derive(Deserialize, JsonSchema)]
    #[schemars(transparent)]
    #[allow(dead_code, reason = "only described")]
    struct Share(#[schemars(range(min = 0.0))] f64);
    for ((spec, fill), keyword) in [
        (tool!(a.min_len(2): Name), "pattern"),
        (tool!(a: Share), "minimum"),
    ] {
        let (def, _) = describe(spec, fill).unwrap();
        assert_eq!(
            unchecked(spec, fill, &def),
            Some(format!(
                "tool `probe`: its input schema promises `{keyword}`, which nothing checks"
            ))
        );
    }
}

#[test]
fn a_schema_by_hand_is_told_of_where_it_goes_beyond_its_parameters() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[allow(dead_code, reason = "only described")]
    enum Size {
        Small,
        Large,
    }
    let told = |schema: &'static str| {
        let (spec, fill) = tool!(size: Size, count: Option<u8>, note: String, any: Value);
        let spec = Box::leak(Box::new(
            ToolSpec::new("probe", "", spec.params, "", 0).input_schema(schema),
        ));
        let (def, _) = describe(spec, fill).unwrap();
        unchecked(spec, fill, &def)
    };
    let enforced = r#"{
        "type": "object",
        "properties": {
            "size": { "type": "string", "enum": ["small", "large", "huge"], "title": "Size" },
            "count": { "type": "number", "minimum": -1, "maximum": 300 },
            "note": { "type": "string", "format": "email", "x-order": 3 },
            "odd": { "const": 1 }
        },
        "required": ["size"],
        "additionalProperties": false
    }"#;
    assert_eq!(told(enforced), None);
    let beyond = r#"{
        "type": "object",
        "properties": {
            "size": { "enum": ["small"] },
            "count": { "minimum": 1 },
            "note": { "const": "a", "type": "string" },
            "any": { "type": "object", "properties": { "a": { "not": {} } } }
        },
        "required": ["size", "count"]
    }"#;
    assert_eq!(
        told(beyond).unwrap(),
        "tool `probe`: its input schema promises `const`, `enum`, `minimum`, `not`, `required`, `type`, which nothing checks"
    );
}

#[test]
fn keywords_that_extend_a_type_are_told() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only described")]
    struct Extended {
        #[schemars(extend("uniqueItems" = true))]
        tags: Vec<String>,
        #[schemars(extend("enum" = [1, 2, 4]))]
        factor: u8,
        #[schemars(extend("const" = true))]
        agreed: bool,
        #[schemars(extend("not" = { "const": "root" }))]
        user: String,
    }
    let (spec, fill) = tool!(it: Extended);
    let (def, _) = describe(spec, fill).unwrap();
    assert_eq!(
        unchecked(spec, fill, &def).unwrap(),
        "tool `probe`: its input schema promises `const`, `enum`, `not`, `uniqueItems`, which nothing checks"
    );
}

#[test]
fn the_same_keywords_of_sets_and_enums_are_not_told() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only described")]
    enum Size {
        Small,
        Large,
    }
    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    #[allow(dead_code, reason = "only described")]
    enum Shape {
        Circle { radius: f64 },
        Point,
    }
    let (spec, fill) = tool!(
        tags: HashSet<String>, sorted: BTreeSet<u8>, size: Size, perhaps: Option<Size>, shape: Shape
    );
    let (def, _) = describe(spec, fill).unwrap();
    assert_eq!(unchecked(spec, fill, &def), None, "{}", def.input_schema);
}
