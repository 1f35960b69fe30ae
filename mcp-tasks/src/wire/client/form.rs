//! `requestedSchema` to a form, from servers of any make.
//!
//! The inverse of `wire::input::schema`. Keywords that no revision has are passed over; a field that no form can
//! have is an error, since it could not be filled in.

use serde_json::Value;

use super::{Object, kind};
use crate::model::form::{
    Boolean, Choice, ChoiceItem, Choices, Field, Form, Format, Integer, Kind, Number, Text,
};

pub(super) fn read(schema: &Value) -> Result<Form, String> {
    let Some(schema) = schema.as_object() else {
        return Err(format!("a form whose schema is {}", kind(schema)));
    };
    let required: Vec<_> = match schema.get("required") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    let fields = properties.into_iter().flatten().map(|(name, property)| {
        let property = property
            .as_object()
            .ok_or_else(|| format!("the field `{name}` has no schema"))?;
        let optional = !required.contains(&name.as_str());
        field(name, property, optional).map_err(|why| format!("the field `{name}` is {why}"))
    });
    fields.collect()
}

fn field(name: &str, property: &Object, optional: bool) -> Result<Field, String> {
    let mut field = Field {
        name: name.to_owned(),
        title: text(property, "title"),
        description: text(property, "description"),
        optional,
        kind: read_kind(property)?,
    };
    // A default that its own field refuses would stand in for an answer all the same.
    if let Some(default) = field.kind.default()
        && field.check(default).is_err()
    {
        let mut property = property.clone();
        property.remove("default");
        field.kind = read_kind(&property)?;
    }
    Ok(field)
}

/// `Err` says what it is instead of a kind that forms have.
fn read_kind(property: &Object) -> Result<Kind, String> {
    let default = property.get("default");
    let choices = single(property);
    match property.get("type").and_then(Value::as_str) {
        Some("string") | None if choices.is_some() => Ok(Kind::Choice(Choice {
            items: choices.unwrap_or_default(),
            default: default.and_then(Value::as_str).map(str::to_owned),
            enum_names: property.contains_key("enumNames"),
        })),
        Some("string") => Ok(Kind::Text(Text {
            min_len: count(property, "minLength"),
            max_len: count(property, "maxLength"),
            format: text(property, "format").and_then(|format| self::format(&format)),
            default: default.and_then(Value::as_str).map(str::to_owned),
        })),
        Some("integer") => Ok(Kind::Integer(Integer {
            min: property.get("minimum").and_then(at_least),
            max: property.get("maximum").and_then(at_most),
            default: default.and_then(at_least),
        })),
        Some("number") => Ok(Kind::Number(Number {
            min: property.get("minimum").and_then(Value::as_f64),
            max: property.get("maximum").and_then(Value::as_f64),
            default: default.and_then(Value::as_f64),
        })),
        Some("boolean") => Ok(Kind::Boolean(Boolean {
            default: default.and_then(Value::as_bool),
        })),
        Some("array") => several(property, default),
        Some(other) => Err(format!("of the type `{other}`, which forms do not have")),
        None => Err("of no type".to_owned()),
    }
}

fn several(property: &Object, default: Option<&Value>) -> Result<Kind, String> {
    let items = property.get("items").and_then(Value::as_object);
    let items = items
        .and_then(single)
        .ok_or("a list of something else than choices")?;
    Ok(Kind::Choices(Choices {
        items,
        min_items: count(property, "minItems"),
        max_items: count(property, "maxItems"),
        default: default.and_then(Value::as_array).map(|values| {
            let values = values.iter().filter_map(Value::as_str);
            values.map(str::to_owned).collect()
        }),
    }))
}

/// The choices of a schema: `enum` with or without `enumNames`, `oneOf` or `anyOf` of titled constants.
fn single(schema: &Object) -> Option<Vec<ChoiceItem>> {
    if let Some(pairs) = schema.get("oneOf").or_else(|| schema.get("anyOf")) {
        let pairs = pairs.as_array()?.iter();
        return pairs
            .map(|pair| {
                Some(ChoiceItem {
                    value: pair.get("const")?.as_str()?.to_owned(),
                    title: pair.get("title").and_then(Value::as_str).map(str::to_owned),
                })
            })
            .collect();
    }
    let values = schema.get("enum")?.as_array()?;
    let titles = schema.get("enumNames").and_then(Value::as_array);
    let items = values.iter().enumerate().map(|(index, value)| {
        let title = titles.and_then(|titles| titles.get(index)?.as_str());
        Some(ChoiceItem {
            value: value.as_str()?.to_owned(),
            title: title.map(str::to_owned),
        })
    });
    items.collect()
}

fn text(object: &Object, key: &str) -> Option<String> {
    object.get(key)?.as_str().map(str::to_owned)
}

fn count(object: &Object, key: &str) -> Option<usize> {
    object
        .get(key)?
        .as_u64()
        .and_then(|count| usize::try_from(count).ok())
}

fn format(name: &str) -> Option<Format> {
    use Format::{Date, DateTime, Email, Uri};
    [Email, Uri, Date, DateTime]
        .into_iter()
        .find(|format| format.as_str() == name)
}

/// The least whole number that is not below a bound. Out of `i64` it bounds nothing.
fn at_least(bound: &Value) -> Option<i64> {
    bound.as_i64().or_else(|| whole(bound.as_f64()?.ceil()))
}

fn at_most(bound: &Value) -> Option<i64> {
    bound.as_i64().or_else(|| whole(bound.as_f64()?.floor()))
}

fn whole(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
    let cast = |number: f64| number as i64;
    (number.abs() <= EXACT).then(|| cast(number))
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn fields(properties: Value, required: &[&str]) -> Form {
        let mut schema = json!({ "type": "object", "required": required });
        schema["properties"] = properties;
        read(&schema).expect("a form")
    }

    #[test]
    fn what_is_required_must_be_filled_in_unless_it_has_a_default() {
        let form = fields(
            json!({ "name": { "type": "string" }, "age": { "type": "integer", "default": 30 } }),
            &["name", "age"],
        );
        assert!(form.fields()[0].required());
        assert!(!form.fields()[1].required());
        let filled = form.check(Map::from_iter([("name".to_owned(), json!("Ada"))]));
        assert_eq!(
            Value::from(filled.expect("fits")),
            json!({ "name": "Ada", "age": 30 })
        );
    }

    #[test]
    fn every_spelling_of_a_choice_is_read() {
        let titled = [("a", Some("A")), ("b", Some("B"))];
        let plain = [("a", None), ("b", None)];
        for (schema, expected) in [
            (json!({ "type": "string", "enum": ["a", "b"] }), plain),
            (json!({ "enum": ["a", "b"] }), plain),
            (
                json!({ "type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"] }),
                titled,
            ),
            (
                json!({ "type": "string", "oneOf": [{ "const": "a", "title": "A" }, { "const": "b", "title": "B" }] }),
                titled,
            ),
        ] {
            let form = fields(json!({ "choice": schema }), &[]);
            let Kind::Choice(choice) = &form.fields()[0].kind else {
                panic!("{schema} is a choice");
            };
            let items = choice
                .items
                .iter()
                .map(|item| (item.value.as_str(), item.title.as_deref()));
            assert!(items.eq(expected), "{schema}");
        }
    }

    #[test]
    fn lists_of_choices_are_read_and_other_lists_refused() {
        let form = fields(
            json!({ "tags": { "type": "array", "minItems": 1, "items": { "type": "string", "enum": ["a", "b"] } } }),
            &[],
        );
        assert!(
            matches!(&form.fields()[0].kind, Kind::Choices(choices) if choices.min_items == Some(1))
        );
        let numbers = json!({ "type": "object", "properties": { "n": { "type": "array", "items": { "type": "integer" } } } });
        assert!(read(&numbers).unwrap_err().contains("`n`"));
    }

    #[test]
    fn a_field_of_an_unknown_type_is_named() {
        let nested = json!({ "type": "object", "properties": { "where": { "type": "object" } } });
        let error = read(&nested).unwrap_err();
        assert!(
            error.contains("`where`") && error.contains("`object`"),
            "{error}"
        );
    }

    #[test]
    fn bounds_with_fractions_are_rounded_inwards() {
        let form = fields(
            json!({ "n": { "type": "integer", "minimum": 0.5, "maximum": 9.5 } }),
            &[],
        );
        let Kind::Integer(kind) = &form.fields()[0].kind else {
            panic!("an integer");
        };
        assert_eq!((kind.min, kind.max), (Some(1), Some(9)));
    }

    #[cfg(feature = "server")]
    #[test]
    fn what_this_crate_asks_it_also_reads() {
        use crate::model::input::InputRequest;
        use crate::wire::Revision;
        let form = Form::new()
            .field(
                Field::text("mail")
                    .title("Mail")
                    .format(Format::Email)
                    .min_len(3),
            )
            .field(Field::integer("seats").min(1).max(12).default(2))
            .field(Field::number("share").min(0.5).optional())
            .field(Field::boolean("sure").default(true).description("Really"))
            .field(Field::choice("meal", [("veg", "Vegetarian"), ("fish", "Fish")]).optional())
            .field(Field::choices("days", ["mo", "tu"]).min_items(1));
        let ask = InputRequest::Form {
            message: "?".into(),
            form: form.clone(),
        };
        let params = crate::wire::input::params(&ask, Revision::V2026_07_28).expect("params");
        let read = super::read(&params["requestedSchema"]).expect("a form");
        // A default says as much as `optional` does, and the schema cannot tell them apart.
        let plain = |field: &Field| {
            let mut field = field.clone();
            field.optional &= field.kind.default().is_none();
            field
        };
        assert_eq!(read.fields().iter().map(plain).collect::<Form>(), form);
    }
}
