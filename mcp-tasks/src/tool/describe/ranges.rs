//! The bounds of `#[arg]` in a schema, beside those that the type has by itself.

use serde_json::{Number as JsonNumber, Value, json};

use crate::tool::bounds::as_float;
use crate::tool::schema::{self, Object};
use crate::tool::spec::{Bounds, Number};

/// Merges the bounds of `#[arg]` into a property.
pub(super) fn add_bounds(property: &mut Object, bounds: Bounds) -> Result<(), String> {
    let sizes = |min: Option<usize>, max: Option<usize>| {
        let number = |size| i128::try_from(size).ok().map(Number::Int);
        (min.and_then(number), max.and_then(number))
    };
    let lengths = sizes(bounds.min_len, bounds.max_len);
    let items = sizes(bounds.min_items, bounds.max_items);
    add_range(property, &NUMBERS, (bounds.min, bounds.max))?;
    add_range(property, &STRINGS, lengths)?;
    add_range(property, &ARRAYS, items)
}

/// One kind of bounds: what they are called here and there, and the types that have them.
struct Range {
    keys: (&'static str, &'static str),
    keywords: (&'static str, &'static str),
    types: &'static [&'static str],
    noun: &'static str,
}

const NUMBERS: Range = Range {
    keys: ("min", "max"),
    keywords: ("minimum", "maximum"),
    types: &["integer", "number"],
    noun: "a number",
};
const STRINGS: Range = Range {
    keys: ("min_len", "max_len"),
    keywords: ("minLength", "maxLength"),
    types: &["string"],
    noun: "a string",
};
const ARRAYS: Range = Range {
    keys: ("min_items", "max_items"),
    keywords: ("minItems", "maxItems"),
    types: &["array"],
    noun: "an array",
};

/// Merges a lower and an upper bound into a property. One that the type's own makes pointless is left
/// out; two that leave nothing between them are a fault.
fn add_range(
    property: &mut Object,
    range: &Range,
    (min, max): (Option<Number>, Option<Number>),
) -> Result<(), String> {
    if min.is_none() && max.is_none() {
        return Ok(());
    }
    let (low, high) = range.keywords;
    let fits = |name: &&str| schema::is_type(property, name);
    if property.contains_key("type") && !range.types.iter().any(fits) {
        let (min, max) = range.keys;
        return Err(format!(
            "`{min}` and `{max}` bound {}, which this is not",
            range.noun
        ));
    }
    let number = |property: &Object, keyword: &str| property.get(keyword).and_then(Value::as_f64);
    if let Some(min) = min
        && number(property, low).is_none_or(|own| as_float(min) >= own)
    {
        property.insert(low.to_owned(), json_number(min));
    }
    if let Some(max) = max
        && number(property, high).is_none_or(|own| as_float(max) <= own)
    {
        property.insert(high.to_owned(), json_number(max));
    }
    let bound = |keyword| property.get(keyword).and_then(Value::as_number);
    match (bound(low), bound(high)) {
        (Some(least), Some(most)) if least.as_f64() > most.as_f64() => Err(format!(
            "no value is at least {least} and at most {most}, which is its type's bound or its own"
        )),
        _ => Ok(()),
    }
}

fn json_number(number: Number) -> Value {
    match number {
        Number::Int(int) => match JsonNumber::from_i128(int) {
            Some(exact) => Value::Number(exact),
            None => json!(as_float(number)),
        },
        Number::Float(float) => json!(float),
    }
}
