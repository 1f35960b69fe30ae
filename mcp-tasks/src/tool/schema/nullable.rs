//! Where `null` is no value: one that may be left out is offered as what it is otherwise. And where it is
//! one: JSON has no NaN and no infinity.

use serde_json::{Value, json};

use super::Object;

/// Removes `null` from what the schema admits, unless nothing else would be left.
pub(super) fn drop_null(schema: &mut Object) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        if types.len() > 1 {
            types.retain(|one| one != "null");
        }
        if let [only] = &mut types[..] {
            let only = only.take();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && values.len() > 1
    {
        values.retain(|value| !value.is_null());
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    for keyword in ["anyOf", "oneOf"] {
        drop_null_branch(schema, keyword);
    }
}

/// `anyOf: [X, null]` becomes X. What stands beside `anyOf` wins over what X says.
fn drop_null_branch(schema: &mut Object, keyword: &str) {
    let Some(Value::Array(branches)) = schema.get_mut(keyword) else {
        return;
    };
    if branches.len() < 2 {
        return;
    }
    branches.retain(|branch| branch.get("type").is_none_or(|kind| kind != "null"));
    if let [Value::Object(only)] = &mut branches[..] {
        let only = std::mem::take(only);
        schema.remove(keyword);
        for (key, value) in only {
            schema.entry(key).or_insert(value);
        }
    }
}

/// A float of Rust's may be none of JSON's: NaN and the infinities are written as `null`, and a client
/// that checks results would refuse the whole of one.
pub(super) fn admit_lost_floats(schema: &mut Object) {
    let format = schema.get("format").and_then(Value::as_str);
    if matches!(format, Some("float" | "double"))
        && schema.get("type").is_some_and(|kind| kind == "number")
    {
        schema.insert("type".to_owned(), json!(["number", "null"]));
    }
}
