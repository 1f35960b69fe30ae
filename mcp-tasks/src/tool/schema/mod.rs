//! Schemas that every client accepts: what `schemars` says of a type, brought into one plain form.

mod enums;
mod mirrored;
mod nullable;
mod refs;
mod root;
#[cfg(test)]
pub(super) mod tests;
#[cfg(any(test, not(feature = "validate")))]
mod unchecked;

use std::any::TypeId;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

#[cfg(feature = "validate")]
pub(super) use self::enums::{has_no_variant, is_no_variant};
pub(super) use self::mirrored::mirrored;
pub(super) use self::refs::with_definitions;
pub(super) use self::root::{is_plain_object, object_of, wrapped};
#[cfg(any(test, not(feature = "validate")))]
pub(super) use self::unchecked::{add_in_order, beyond, unchecked};

/// A JSON object.
pub(super) type Object = Map<String, Value>;

/// Which side of a call a schema is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Arguments. A value that may be left out need not be offered as `null` too, although the
    /// decoder takes it.
    Input,
    /// Structured content. Whatever a value may serialise to is in its schema.
    Output,
}

/// Makes the schemas of arguments.
pub(super) fn inputs() -> SchemaGenerator {
    settings().into_generator()
}

/// Makes the schemas of results.
pub(super) fn outputs() -> SchemaGenerator {
    settings().for_serialize().into_generator()
}

fn settings() -> SchemaSettings {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    settings
}

/// The schema of a type as a part of another. That of a plain value needs none of the bookkeeping of references, which it
/// would bring into the program.
pub(super) fn of<T: JsonSchema + 'static>(generator: &mut SchemaGenerator) -> Schema {
    if is_plain_value::<T>() {
        T::json_schema(generator)
    } else {
        generator.subschema_for::<T>()
    }
}

/// Whether the schema of the type says no more than `type`, a format and bounds that decoding holds.
pub(super) fn is_plain_value<T: 'static>() -> bool {
    macro_rules! is_one_of {
        ($($plain:ty),*) => { $(TypeId::of::<T>() == TypeId::of::<$plain>())||* };
    }
    is_one_of!(
        bool, char, String, f32, f64, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128,
        usize
    )
}

/// The schema as an object: `true` is `{}`.
pub(super) fn object(schema: Schema) -> Object {
    into_object(schema.to_value())
}

fn into_object(schema: Value) -> Object {
    match schema {
        Value::Object(object) => object,
        Value::Bool(false) => Object::from_iter([("not".to_owned(), json!({}))]),
        _ => Object::new(),
    }
}

/// Keywords whose value is a map from names to schemas.
const NAMED: [&str; 5] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
];
/// Keywords whose value is a list of schemas.
const LISTED: [&str; 4] = ["prefixItems", "allOf", "anyOf", "oneOf"];
/// Keywords whose value is one schema, and no plain `true` or `false`.
const SINGLE: [&str; 7] = [
    "items",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "propertyNames",
];
/// Keywords whose value is one schema, and usually `true` or `false`.
const CLOSING: [&str; 3] = [
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
];

/// Brings a schema and all below it into the plain form. Only what is a schema is touched: not a
/// property that is called `format`, not a default or an example that looks like a schema.
pub(super) fn tidy(schema: &mut Object, side: Side) {
    schema.remove("$schema");
    if side == Side::Output {
        nullable::admit_lost_floats(schema);
    }
    drop_rust_format(schema);
    enums::fold(schema);
    if is_type(schema, "array") {
        schema.entry("items").or_insert_with(|| json!({}));
    }
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required = |name: &str| {
        required
            .as_array()
            .is_some_and(|names| names.iter().any(|required| required == name))
    };
    for keyword in NAMED {
        let Some(Value::Object(named)) = schema.get_mut(keyword) else {
            continue;
        };
        for (name, below) in named {
            // A property that may be left out, and an entry that need not be there.
            let may_be_missing = match keyword {
                "properties" => !is_required(name),
                _ => keyword == "patternProperties",
            };
            tidy_value(below, side, may_be_missing);
        }
    }
    for keyword in LISTED {
        let Some(Value::Array(listed)) = schema.get_mut(keyword) else {
            continue;
        };
        for below in listed {
            tidy_value(below, side, false);
        }
    }
    for keyword in SINGLE {
        if let Some(below) = schema.get_mut(keyword) {
            tidy_value(below, side, keyword == "items");
        }
    }
    for keyword in CLOSING {
        if let Some(below) = schema.get_mut(keyword).filter(|below| !below.is_boolean()) {
            tidy_value(below, side, true);
        }
    }
}

fn tidy_value(schema: &mut Value, side: Side, drop_null: bool) {
    let mut object = into_object(schema.take());
    if drop_null && side == Side::Input {
        nullable::drop_null(&mut object);
    }
    tidy(&mut object, side);
    *schema = Value::Object(object);
}

/// Brings the schema of one parameter into the plain form.
pub(super) fn tidy_parameter(schema: &mut Object, may_be_missing: bool) {
    if may_be_missing {
        nullable::drop_null(schema);
    }
    tidy(schema, Side::Input);
}

/// `uint32` and its like are Rust's widths; JSON Schema has no such formats, and some validators
/// refuse them.
pub(super) fn drop_rust_format(schema: &mut Object) {
    let rusts = |format: &str| {
        let digits = format.trim_start_matches('u').trim_start_matches("int");
        matches!(format, "float" | "double")
            || (digits != format
                && matches!(digits, "" | "8" | "16" | "32" | "64" | "128" | "size"))
    };
    if schema
        .get("format")
        .and_then(Value::as_str)
        .is_some_and(rusts)
    {
        schema.remove("format");
    }
}

/// Whether the schema's `type` is or contains `name`.
pub(super) fn is_type(schema: &Object, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(types)) => types.iter().any(|one| one == name),
        _ => false,
    }
}

/// Whether `schema`, or one anywhere below it, is such.
#[cfg(feature = "validate")]
pub(super) fn has_any(schema: &Object, is_such: &dyn Fn(&Object) -> bool) -> bool {
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        if is_such(schema) {
            return true;
        }
        for_each_below(schema, &mut |below| open.push(below));
    }
    false
}

/// Calls `visit` with every schema directly below this one.
fn for_each_below<'s>(schema: &'s Object, visit: &mut dyn FnMut(&'s Object)) {
    let named = NAMED
        .iter()
        .filter_map(|keyword| schema.get(*keyword)?.as_object())
        .flat_map(Map::values);
    let listed = LISTED
        .iter()
        .filter_map(|keyword| schema.get(*keyword)?.as_array())
        .flatten();
    let single = SINGLE
        .iter()
        .chain(&CLOSING)
        .filter_map(|keyword| schema.get(*keyword));
    named
        .chain(listed)
        .chain(single)
        .filter_map(Value::as_object)
        .for_each(visit);
}
