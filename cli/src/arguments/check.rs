//! What does not fit the schema, each fault by the name of its argument.

use serde_json::Value;

use crate::clean;
use crate::schema::Schema;

/// How alike two names must be for one to be taken for the other.
const ALIKE: f64 = 0.75;
/// How many names are listed to choose from.
const SHOWN_NAMES: usize = 20;

/// The required arguments that are not given.
pub(super) fn missing(
    schema: Schema<'_>,
    is_given: impl Fn(&str) -> bool,
) -> impl Iterator<Item = String> {
    let missing = schema.required().filter(move |name| !is_given(name));
    missing.map(move |name| match schema.property(name) {
        Some(property) => format!("`{name}` is missing: expected {}", property.expected()),
        None => format!("`{name}` is missing"),
    })
}

/// An argument that the tool does not have, with the one that may be meant.
pub(super) fn unknown(name: &str, schema: Schema<'_>) -> String {
    let names: Vec<_> = schema.properties().map(|(name, _)| name).collect();
    match (nearest(name, &names), &names[..]) {
        (Some(near), _) => format!("`{name}`: unknown argument; is `{near}` meant?"),
        (None, []) => format!("`{name}`: unknown argument; there are none"),
        (None, _) => format!("`{name}`: unknown argument; there are {}", listed(&names)),
    }
}

/// Names in a sentence, however many and whatever they are.
pub(crate) fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(SHOWN_NAMES);
    let mut shown: Vec<_> = shown.map(|name| clean::line(name)).collect();
    if names.len() > SHOWN_NAMES {
        shown.push(format!("{} more", names.len() - SHOWN_NAMES));
    }
    shown.join(", ")
}

/// Which of `names` is most like `name`, if one is.
pub(crate) fn nearest<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    let alike = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    let rated = names.iter().map(|other| (alike(other), *other));
    let best = rated.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (best.0 >= ALIKE).then_some(best.1)
}

/// Whatever else the schema asks for.
///
/// # Errors
/// Why the schema cannot be used: it refers to other documents, say. Then it forbids nothing here, for the server is the
/// judge of its own tools.
pub(super) fn values(arguments: &Value, root: &Value) -> Result<Vec<String>, String> {
    let validator = jsonschema::validator_for(root).map_err(|error| error.to_string())?;
    let faults = validator.iter_errors(arguments).map(|error| {
        let place = error.instance_path().to_string();
        match place.trim_start_matches('/') {
            "" => error.to_string(),
            argument => format!("`{argument}`: {error}"),
        }
    });
    Ok(faults.collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{read, read_unchecked};
    use super::*;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "dataset": { "type": "string", "minLength": 1 },
                "row_limit": { "type": "integer", "minimum": 1, "default": 100 },
                "columns": { "type": "array", "items": { "type": "string" }, "uniqueItems": true },
            },
            "required": ["dataset"],
            "additionalProperties": false,
        })
    }

    fn checked(words: &[&str]) -> Result<Value, String> {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let read = read(&words, &schema())?;
        assert_eq!(read.unusable, None);
        Ok(read.arguments)
    }

    #[test]
    fn arguments_that_fit_are_typed() {
        assert_eq!(
            checked(&["dataset=a.csv", "row_limit=10", "columns=a", "columns=b"]),
            Ok(json!({ "dataset": "a.csv", "row_limit": 10, "columns": ["a", "b"] }))
        );
        assert_eq!(
            checked(&["dataset:=\"a.csv\""]),
            Ok(json!({ "dataset": "a.csv" }))
        );
    }

    #[test]
    fn what_is_missing_is_named_with_what_is_expected() {
        assert_eq!(
            checked(&[]),
            Err("`dataset` is missing: expected text".into())
        );
    }

    #[test]
    fn an_unknown_argument_is_named_with_the_nearest() {
        let fault = checked(&["dataset=a", "rowlimit=1"]).unwrap_err();
        assert_eq!(fault, "`rowlimit`: unknown argument; is `row_limit` meant?");
        let fault = checked(&["dataset=a", "zzz=1"]).unwrap_err();
        assert_eq!(
            fault,
            "`zzz`: unknown argument; there are dataset, row_limit, columns"
        );
    }

    #[test]
    fn all_faults_are_told_together() {
        let fault = checked(&["row_limit=many", "rows=1"]).unwrap_err();
        let lines: Vec<_> = fault.lines().collect();
        assert_eq!(lines.len(), 3, "{fault}");
        assert_eq!(
            lines[0],
            "`row_limit`: expected a whole number, got \"many\""
        );
        assert!(lines[1].starts_with("`rows`: unknown argument"), "{fault}");
        assert!(lines[2].starts_with("`dataset` is missing"), "{fault}");
    }

    #[test]
    fn bounds_and_the_types_of_json_are_checked_too() {
        for (words, argument) in [
            (["dataset=a", "row_limit=0"], "`row_limit`:"),
            (["dataset=a", "row_limit:=\"x\""], "`row_limit`:"),
            (["dataset=", "row_limit=1"], "`dataset`:"),
            (["dataset=a", "columns:=[\"a\",\"a\"]"], "`columns`:"),
            (["dataset=a", "columns:=[1]"], "`columns/0`:"),
        ] {
            let fault = checked(&words).unwrap_err();
            assert!(fault.starts_with(argument), "{words:?}: {fault}");
        }
    }

    #[test]
    fn a_schema_without_properties_takes_anything() {
        let words = ["a=1".to_owned(), "b:=2".to_owned()];
        for schema in [json!({}), json!(true), json!({ "type": "object" })] {
            let read = read(&words, &schema).expect("they fit");
            assert_eq!(read.arguments, json!({ "a": "1", "b": 2 }), "{schema}");
            assert_eq!(read.unusable, None, "{schema}");
        }
    }

    #[test]
    fn a_schema_that_cannot_be_used_forbids_nothing() {
        for schema in [
            json!({ "properties": { "a": { "$ref": "https://elsewhere.invalid/a.json" } } }),
            json!({ "type": 7, "properties": { "a": { "type": "string" } } }),
            json!({ "properties": { "a": { "type": "string", "pattern": "(((" } } }),
            Value::Null,
        ] {
            let read = read(&["a=1".to_owned()], &schema).expect("they fit");
            assert_eq!(read.arguments, json!({ "a": "1" }), "{schema}");
            assert!(read.unusable.is_some(), "{schema}");
        }
    }

    #[test]
    fn of_many_names_some_are_listed() {
        let names: Vec<_> = (0..1000).map(|at| format!("n{at}\x1b[2J\n")).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let text = listed(&names);
        assert!(
            text.starts_with("n0, n1, ") && text.ends_with("n19, 980 more"),
            "{text}"
        );
    }

    #[test]
    fn unchecked_words_are_sent_as_they_are() {
        let words = [
            "row_limit=many".to_owned(),
            "rows=1".to_owned(),
            "dataset=a".to_owned(),
        ];
        assert_eq!(
            read_unchecked(&words, &schema()),
            Ok(json!({ "row_limit": "many", "rows": "1", "dataset": "a" }))
        );
    }
}
