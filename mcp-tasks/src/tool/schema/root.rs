//! The root of a schema is a plain object, on every wire.

use schemars::Schema;
use serde_json::{Value, json};

use super::Object;

/// Keywords that make an object schema more than a plain list of properties.
const COMPOUND: [&str; 9] = [
    "anyOf", "oneOf", "allOf", "$ref", "not", "if", "then", "else", "enum",
];

/// Whether this can stand at the root as it is.
pub(in crate::tool) fn is_plain_object(schema: &Schema) -> bool {
    schema.as_object().is_some_and(is_plain)
}

fn is_plain(schema: &Object) -> bool {
    schema.get("type").is_some_and(|kind| kind == "object")
        && !COMPOUND.iter().any(|keyword| schema.contains_key(*keyword))
}

/// The schema of `{"result": ..}`.
pub(in crate::tool) fn wrapped(schema: &Schema) -> Schema {
    schemars::json_schema!({
        "type": "object",
        "properties": {"result": schema},
        "required": ["result"],
    })
}

/// One plain object that admits all that `schema` admits: tagged and flattened enums become one
/// object with the properties of all their variants, and decoding says what does not go together.
/// `None` if a value may be something else than an object.
pub(in crate::tool) fn object_of(mut schema: Object) -> Option<Object> {
    for keyword in ["title", "description"] {
        schema.remove(keyword);
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = schema.remove(keyword) {
            merge(&mut schema, branches, keyword == "allOf")?;
        }
    }
    schema.entry("properties").or_insert_with(|| json!({}));
    is_plain(&schema).then_some(schema)
}

/// Adds the branches' properties to the base. A property is required if the base or every branch
/// requires it (for `allOf`: any branch).
fn merge(base: &mut Object, branches: Vec<Value>, all: bool) -> Option<()> {
    let mut closed = true;
    let mut required: Option<Vec<Value>> = None;
    for branch in branches {
        let Value::Object(branch) = branch else {
            return None;
        };
        let doc = branch
            .get("description")
            .and_then(Value::as_str)
            .map(str::to_owned);
        let mut branch = object_of(branch)?;
        if let Some(doc) = doc {
            tell_tag(&mut branch, &doc);
        }
        closed &= branch.get("additionalProperties") == Some(&Value::Bool(false));
        let needs = match branch.remove("required") {
            Some(Value::Array(names)) => names,
            _ => Vec::new(),
        };
        required = Some(match required {
            None => needs,
            Some(before) if all => [before, needs].concat(),
            Some(before) => before
                .into_iter()
                .filter(|name| needs.contains(name))
                .collect(),
        });
        if let Some(Value::Object(properties)) = branch.remove("properties") {
            add_properties(base, properties);
        }
    }
    base.insert("type".to_owned(), json!("object"));
    add_required(base, required.unwrap_or_default());
    // With all properties in one place, what was closed over the branches is closed here.
    let unevaluated = base.remove("unevaluatedProperties") == Some(Value::Bool(false));
    if unevaluated || (closed && !all) {
        base.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    Some(())
}

/// Moves a variant's doc to its tag, which outlives the variant's own schema.
fn tell_tag(variant: &mut Object, doc: &str) {
    let properties = variant.get_mut("properties").and_then(Value::as_object_mut);
    for tag in properties
        .into_iter()
        .flat_map(|all| all.values_mut())
        .filter_map(Value::as_object_mut)
    {
        if let Some(word) = tag.get("const").and_then(Value::as_str) {
            let line = format!("- `{word}`: {doc}");
            tag.insert("description".to_owned(), json!(line));
        }
    }
}

fn add_properties(base: &mut Object, more: Object) {
    let Value::Object(properties) = base.entry("properties").or_insert_with(|| json!({})) else {
        return;
    };
    for (name, schema) in more {
        let both = match properties.get(&name) {
            Some(before) => either(before, &schema),
            None => schema,
        };
        properties.insert(name, both);
    }
}

fn add_required(base: &mut Object, more: Vec<Value>) {
    if more.is_empty() {
        return;
    }
    let Value::Array(required) = base.entry("required").or_insert_with(|| json!([])) else {
        return;
    };
    for name in more {
        if !required.contains(&name) {
            required.push(name);
        }
    }
}

/// What two variants say of one property, as one schema.
fn either(a: &Value, b: &Value) -> Value {
    if a == b {
        return a.clone();
    }
    if let (Some(mut words), Some(more)) = (words(a), words(b)) {
        words.extend(
            more.into_iter()
                .filter(|word| !words.contains(word))
                .collect::<Vec<_>>(),
        );
        let docs: Vec<_> = [a, b]
            .iter()
            .filter_map(|one| one.get("description")?.as_str())
            .collect();
        let mut both = json!({"type": "string", "enum": words});
        if !docs.is_empty() {
            both["description"] = json!(docs.join("\n"));
        }
        return both;
    }
    let mut branches = match a.get("anyOf") {
        Some(Value::Array(branches)) => branches.clone(),
        _ => vec![a.clone()],
    };
    if !branches.contains(b) {
        branches.push(b.clone());
    }
    json!({"anyOf": branches})
}

/// The words that a tag or a unit enum may be.
fn words(schema: &Value) -> Option<Vec<Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(word @ Value::String(_)), None) => Some(vec![word.clone()]),
        (None, Some(Value::Array(words))) => Some(words.clone()),
        _ => None,
    }
}
