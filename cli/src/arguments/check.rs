//! What does not fit the schema, each fault by the name of its argument.

use serde_json::Value;

use crate::schema::Schema;

/// How alike two names must be for one to be taken for the other.
const ALIKE: f64 = 0.75;

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
        (None, _) => format!("`{name}`: unknown argument; there are {}", names.join(", ")),
    }
}

/// Which of `names` is most like `name`, if one is.
pub(crate) fn nearest<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    let alike = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    let rated = names.iter().map(|other| (alike(other), *other));
    let best = rated.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (best.0 >= ALIKE).then_some(best.1)
}

/// Whatever else the schema asks for. A schema that cannot be used, such as one that refers to other documents, asks
/// for nothing here: the server is the judge of its own tools.
pub(super) fn values(arguments: &Value, root: &Value) -> Vec<String> {
    let Ok(validator) = jsonschema::validator_for(root) else {
        return Vec::new();
    };
    let faults = validator.iter_errors(arguments).map(|error| {
        let place = error.instance_path().to_string();
        match place.trim_start_matches('/') {
            "" => error.to_string(),
            argument => format!("`{argument}`: {error}"),
        }
    });
    faults.collect()
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
        read(&words, &schema())
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
        assert_eq!(read(&words, &Value::Null), Ok(json!({ "a": "1", "b": 2 })));
        assert_eq!(
            read(&words, &json!({ "type": "object" })),
            Ok(json!({ "a": "1", "b": 2 }))
        );
    }

    #[test]
    fn a_schema_that_cannot_be_used_forbids_nothing() {
        let elsewhere =
            json!({ "properties": { "a": { "$ref": "https://elsewhere.invalid/a.json" } } });
        assert_eq!(
            read(&["a=1".to_owned()], &elsewhere),
            Ok(json!({ "a": "1" }))
        );
        let nonsense = json!({ "type": 7, "properties": { "a": { "type": "string" } } });
        assert_eq!(
            read(&["a=1".to_owned()], &nonsense),
            Ok(json!({ "a": "1" }))
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
