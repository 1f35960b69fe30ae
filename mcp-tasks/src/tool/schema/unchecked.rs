//! Keywords that a schema promises and that decoding does not check.

use serde_json::Value;

use super::enums::{has_no_variant, is_no_variant};
use super::{Object, for_each_below, is_type};

/// Keywords that no Rust type brings along by itself: they were written by hand, and decoding into
/// a type does not enforce them.
const PROMISES: [&str; 9] = [
    "pattern",
    "multipleOf",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minProperties",
    "maxProperties",
    "contains",
    "dependentRequired",
    "not",
];

/// The keywords anywhere in `schema` that decoding does not check, each once. `minimum`, `minItems`
/// and the like count where no integer width, `char`, array or `#[arg]` explains them; `own` are
/// the properties of the root whose bounds `#[arg]` checks.
pub(in crate::tool) fn unchecked(schema: &Object, own: &dyn Fn(&str) -> bool) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut open: Vec<&Object> = Vec::new();
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let Some(property) = property.as_object() else {
            continue;
        };
        if own(name) {
            note_unbounded(property, &mut found);
            for_each_below(property, &mut |below| open.push(below));
        } else {
            open.push(property);
        }
    }
    open.extend(
        schema
            .get("$defs")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .filter_map(|d| d.1.as_object()),
    );
    while let Some(schema) = open.pop() {
        note(schema, &mut found);
        for_each_below(schema, &mut |below| open.push(below));
    }
    found
}

/// Keywords that promise nothing of a value.
const NOTES: [&str; 14] = [
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "contentEncoding",
    "contentMediaType",
    "default",
    "deprecated",
    "description",
    "examples",
    "format",
    "readOnly",
    "title",
    "writeOnly",
];

/// The keywords of a schema by hand that go beyond what decoding enforces, each once.
pub(in crate::tool) fn beyond<'s>(promised: &'s Object, enforced: &Object) -> Vec<&'s str> {
    let mut found = Vec::new();
    let mut open = vec![(promised, enforced)];
    let nothing = Object::new();
    while let Some((promised, enforced)) = open.pop() {
        for (keyword, value) in promised {
            let mine = enforced.get(keyword);
            match (keyword.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    let closed = enforced.get("additionalProperties") == Some(&Value::Bool(false));
                    for (name, property) in properties {
                        let mine = mine.and_then(|mine| mine.get(name)?.as_object());
                        // An argument that no parameter takes is refused.
                        if let Some(property) = property.as_object()
                            && (mine.is_some() || !closed)
                        {
                            open.push((property, mine.unwrap_or(&nothing)));
                        }
                    }
                }
                ("items" | "additionalProperties", Value::Object(below)) => {
                    open.push((below, mine.and_then(Value::as_object).unwrap_or(&nothing)));
                }
                (keyword, _) if NOTES.contains(&keyword) || keyword.starts_with("x-") => {}
                (keyword, value) if mine.is_some_and(|mine| implies(keyword, mine, value)) => {}
                (keyword, _) => add_in_order(&mut found, keyword),
            }
        }
    }
    found
}

/// Adds a keyword that is not there yet.
pub(in crate::tool) fn add_in_order<'k>(keywords: &mut Vec<&'k str>, keyword: &'k str) {
    if let Err(place) = keywords.binary_search(&keyword) {
        keywords.insert(place, keyword);
    }
}

/// Whether what is enforced leaves nothing of a promise to check.
fn implies(keyword: &str, enforced: &Value, promised: &Value) -> bool {
    let list = |value: &Value| match value {
        Value::Array(items) => items.clone(),
        one => vec![one.clone()],
    };
    let all = |of: &Value, within: &dyn Fn(&Value) -> bool| list(of).iter().all(within);
    match keyword {
        "minimum" => enforced.as_f64() >= promised.as_f64(),
        "maximum" => enforced.as_f64() <= promised.as_f64(),
        "required" => all(promised, &|name| list(enforced).contains(name)),
        "enum" => all(enforced, &|value| list(promised).contains(value)),
        "type" => all(enforced, &|kind| {
            let kinds = list(promised);
            kinds.contains(kind) || (kind == "integer" && kinds.iter().any(|kind| kind == "number"))
        }),
        _ => enforced == promised,
    }
}

/// Notes what no bound of `#[arg]` stands for.
fn note_unbounded(schema: &Object, found: &mut Vec<&'static str>) {
    for keyword in PROMISES {
        if schema.contains_key(keyword) {
            add_in_order(found, keyword);
        }
    }
    let promised = [
        ("uniqueItems", has_unique_items(schema) && !is_set(schema)),
        ("enum", schema.get("enum").is_some_and(has_no_variant)),
        ("const", schema.get("const").is_some_and(is_no_variant)),
    ];
    for (keyword, promised) in promised {
        if promised {
            add_in_order(found, keyword);
        }
    }
}

fn has_unique_items(schema: &Object) -> bool {
    schema.get("uniqueItems") == Some(&Value::Bool(true))
}

/// A set drops what comes twice. Its schema says so before it says what its items are; what is added to the schema of
/// a list stands behind that.
fn is_set(schema: &Object) -> bool {
    let at = |name| schema.keys().position(|key| key == name);
    at("uniqueItems") < at("items")
}

fn note(schema: &Object, found: &mut Vec<&'static str>) {
    note_unbounded(schema, found);
    let number = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let mut add = |keyword: &'static str, promised: bool| {
        if promised {
            add_in_order(found, keyword);
        }
    };
    if is_type(schema, "string") {
        let char = number("minLength") == Some(1.0) && number("maxLength") == Some(1.0);
        add("minLength", !char && schema.contains_key("minLength"));
        add("maxLength", !char && schema.contains_key("maxLength"));
    }
    if is_type(schema, "array") {
        let fixed =
            schema.contains_key("minItems") && schema.get("minItems") == schema.get("maxItems");
        add("minItems", !fixed && schema.contains_key("minItems"));
        add("maxItems", !fixed && schema.contains_key("maxItems"));
    }
    // Unsigned integers begin at 0, `NonZero` ones at 1; no float has a bound of its own.
    let own = |min| is_width(min) || ([0.0, 1.0].contains(&min) && !is_type(schema, "number"));
    add("minimum", number("minimum").is_some_and(|min| !own(min)));
    add(
        "maximum",
        number("maximum").is_some_and(|max| !is_width(max)),
    );
}

/// Whether a bound is that of a Rust integer.
fn is_width(bound: f64) -> bool {
    [8, 16, 32, 64, 128].iter().any(|bits| {
        let (signed, unsigned) = (2_f64.powi(bits - 1), 2_f64.powi(*bits));
        // The larger widths are not exact as floats, on either side of the comparison.
        [-signed, signed - 1.0, unsigned - 1.0].contains(&bound)
    })
}
