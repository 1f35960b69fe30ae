//! Words as the JSON that a schema asks for.

use serde_json::{Number, Value};

use super::word::Given;
use crate::schema::{Kind, Schema, plain};

/// How far alternatives are followed into each other.
const DEPTH: usize = 8;

/// The value of an argument.
///
/// # Errors
/// What was expected, and what was given.
pub(super) fn read(given: &Given, schema: Schema<'_>) -> Result<Value, String> {
    match given {
        Given::Json(value) => Ok(value.clone()),
        Given::Words(words) => match &words[..] {
            [word] => one(word, schema, DEPTH).ok_or_else(|| misfit(word, schema)),
            words => match array_of(schema, DEPTH) {
                Some(items) => list(words, items),
                None => Err(format!(
                    "given {} times, expected {} once",
                    words.len(),
                    schema.expected()
                )),
            },
        },
    }
}

fn misfit(word: &str, schema: Schema<'_>) -> String {
    let expected = schema.expected();
    format!("expected {expected}, got {word:?}")
}

fn list(words: &[String], items: Schema<'_>) -> Result<Value, String> {
    let read = |word: &String| one(word, items, DEPTH).ok_or_else(|| misfit(word, items));
    words.iter().map(read).collect()
}

/// The schema of the items, where a list would fit.
fn array_of(schema: Schema<'_>, depth: usize) -> Option<Schema<'_>> {
    let kinds = schema.kinds();
    if kinds.contains(&Kind::Array) || (kinds.is_empty() && says_nothing(schema)) {
        return Some(schema.items());
    }
    let depth = depth.checked_sub(1)?;
    schema
        .alternatives()
        .into_iter()
        .find_map(|one| array_of(one, depth))
}

fn says_nothing(schema: Schema<'_>) -> bool {
    schema.alternatives().is_empty() && schema.words().is_none()
}

/// The value of a single word; `None` if the schema asks for something else.
fn one(word: &str, schema: Schema<'_>, depth: usize) -> Option<Value> {
    if let Some(words) = schema.words() {
        return words
            .into_iter()
            .find(|value| plain(value) == word)
            .cloned();
    }
    let alternatives = schema.alternatives();
    if !alternatives.is_empty() {
        return alternative(word, &alternatives, depth.checked_sub(1)?);
    }
    let kinds = schema.kinds();
    if kinds.is_empty() {
        return Some(word.into());
    }
    kinds
        .into_iter()
        .find_map(|kind| of_kind(word, kind, schema, depth))
}

/// The first that fits, where text is only what nothing else is.
fn alternative(word: &str, alternatives: &[Schema<'_>], depth: usize) -> Option<Value> {
    let read = alternatives
        .iter()
        .filter_map(|schema| one(word, *schema, depth));
    let mut read: Vec<_> = read.collect();
    let at = read
        .iter()
        .position(|value| !value.is_string() && !value.is_null());
    let at = at
        .or_else(|| read.iter().position(Value::is_string))
        .unwrap_or(0);
    (at < read.len()).then(|| read.swap_remove(at))
}

fn of_kind(word: &str, kind: Kind, schema: Schema<'_>, depth: usize) -> Option<Value> {
    match kind {
        Kind::Boolean => word.parse::<bool>().ok().map(Value::from),
        Kind::Integer => number(word).filter(is_whole),
        Kind::Number => number(word),
        Kind::Object => serde_json::from_str(word).ok().filter(Value::is_object),
        Kind::Array => match serde_json::from_str(word) {
            Ok(list @ Value::Array(_)) => Some(list),
            _ => Some(vec![one(word, schema.items(), depth.checked_sub(1)?)?].into()),
        },
        Kind::String => Some(word.into()),
        Kind::Null => (word == "null").then_some(Value::Null),
    }
}

fn number(word: &str) -> Option<Value> {
    let exact = serde_json::from_str::<Number>(word).ok();
    let number = exact.or_else(|| Number::from_f64(word.parse().ok()?))?;
    Some(number.into())
}

/// Whether it is an integer to JSON Schema, to which `1.0` is one.
fn is_whole(number: &Value) -> bool {
    !number.is_f64() || number.as_f64().is_some_and(|number| number.fract() == 0.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn typed(words: &[&str], schema: &Value) -> Result<Value, String> {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        read(&Given::Words(words), Schema::new(schema))
    }

    fn single(word: &str, schema: &Value) -> Value {
        typed(&[word], schema).unwrap_or_else(|fault| panic!("{word} for {schema}: {fault}"))
    }

    #[test]
    fn the_schema_decides_what_a_word_is() {
        for (word, schema, value) in [
            ("3", json!({ "type": "integer" }), json!(3)),
            ("3", json!({ "type": "string" }), json!("3")),
            (
                "18446744073709551615",
                json!({ "type": "integer" }),
                json!(u64::MAX),
            ),
            ("1e3", json!({ "type": "number" }), json!(1000.0)),
            (".5", json!({ "type": "number" }), json!(0.5)),
            ("true", json!({ "type": "boolean" }), json!(true)),
            ("true", json!({ "type": "string" }), json!("true")),
            ("null", json!({ "type": ["string", "null"] }), json!("null")),
            ("null", json!({ "type": ["integer", "null"] }), json!(null)),
            ("7", json!({ "type": ["string", "integer"] }), json!(7)),
            ("a", json!({ "type": ["string", "integer"] }), json!("a")),
            ("{\"a\":1}", json!({ "type": "object" }), json!({ "a": 1 })),
            (
                "x",
                json!({ "type": "array", "items": { "type": "string" } }),
                json!(["x"]),
            ),
            (
                r#"["x","y"]"#,
                json!({ "type": "array", "items": { "type": "string" } }),
                json!(["x", "y"]),
            ),
            ("x", json!({}), json!("x")),
            ("x", json!(true), json!("x")),
        ] {
            assert_eq!(single(word, &schema), value, "{word} for {schema}");
        }
    }

    #[test]
    fn words_of_an_enum_are_its_values() {
        let schema = json!({ "enum": ["fast", 2, true] });
        assert_eq!(single("fast", &schema), json!("fast"));
        assert_eq!(single("2", &schema), json!(2));
        assert_eq!(single("true", &schema), json!(true));
        assert_eq!(
            typed(&["slow"], &schema),
            Err("expected one of fast, 2, true, got \"slow\"".into())
        );
    }

    #[test]
    fn alternatives_and_references_are_looked_into() {
        let schema = json!({
            "anyOf": [{ "$ref": "#/$defs/mode" }, { "type": "integer" }, { "type": "null" }],
            "$defs": { "mode": { "oneOf": [{ "const": "fast" }, { "const": "slow" }] } },
        });
        assert_eq!(single("slow", &schema), json!("slow"));
        assert_eq!(single("4", &schema), json!(4));
        assert_eq!(single("null", &schema), json!(null));
        assert!(typed(&["other"], &schema).is_err());
        let described = json!({ "allOf": [{ "type": "integer" }], "description": "how many" });
        assert_eq!(single("4", &described), json!(4));
    }

    #[test]
    fn a_repeated_word_is_a_list_of_the_items() {
        let schema = json!({ "type": "array", "items": { "type": "integer" } });
        assert_eq!(typed(&["1", "2"], &schema), Ok(json!([1, 2])));
        assert_eq!(
            typed(&["1", "x"], &schema),
            Err("expected a whole number, got \"x\"".into())
        );
        assert_eq!(
            typed(&["1", "2"], &json!({ "type": "integer" })),
            Err("given 2 times, expected a whole number once".into())
        );
        let optional = json!({ "anyOf": [schema, { "type": "null" }] });
        assert_eq!(typed(&["1", "2"], &optional), Ok(json!([1, 2])));
    }

    #[test]
    fn a_word_of_another_type_is_told_with_what_was_expected() {
        for (word, schema, fault) in [
            (
                "x",
                json!({ "type": "integer" }),
                "expected a whole number, got \"x\"",
            ),
            (
                "1.5",
                json!({ "type": "integer" }),
                "expected a whole number, got \"1.5\"",
            ),
            (
                "NaN",
                json!({ "type": "number" }),
                "expected a number, got \"NaN\"",
            ),
            (
                "yes",
                json!({ "type": "boolean" }),
                "expected true or false, got \"yes\"",
            ),
            (
                "[1]",
                json!({ "type": "object" }),
                "expected a JSON object, got \"[1]\"",
            ),
        ] {
            assert_eq!(typed(&[word], &schema), Err(fault.into()), "{schema}");
        }
    }

    #[test]
    fn a_schema_that_goes_round_in_circles_ends() {
        let schema = json!({ "anyOf": [{ "$ref": "#" }, { "type": "integer" }] });
        assert_eq!(single("4", &schema), json!(4));
        let lists = json!({ "type": "array", "items": { "$ref": "#" } });
        assert!(typed(&["x"], &lists).is_err());
    }
}
