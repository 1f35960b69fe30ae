//! Recursive types: the only ones that stay references.

use serde_json::Value;

use super::{Object, Side, for_each_below, tidy};

const PREFIX: &str = "#/$defs/";

/// The root with those of the definitions that it needs, in the plain form.
pub(in crate::tool) fn with_definitions(
    mut root: Object,
    mut definitions: Object,
    side: Side,
) -> Object {
    for definition in definitions.values_mut().filter_map(Value::as_object_mut) {
        tidy(definition, side);
    }
    let mut needed: Vec<String> = Vec::new();
    let mut open = names_in(&root);
    while let Some(name) = open.pop() {
        if !needed.contains(&name)
            && let Some(definition) = definitions.get(&name).and_then(Value::as_object)
        {
            open.extend(names_in(definition));
            needed.push(name);
        }
    }
    definitions.retain(|name, _| needed.contains(name));
    if !definitions.is_empty() {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    root
}

/// The names of the definitions that a schema refers to.
fn names_in(schema: &Object) -> Vec<String> {
    let mut names = Vec::new();
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        if let Some(name) = schema
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|r| r.strip_prefix(PREFIX))
        {
            // A JSON pointer writes `~` and `/` as `~0` and `~1`.
            names.push(name.replace("~1", "/").replace("~0", "~"));
        }
        for_each_below(schema, &mut |below| open.push(below));
    }
    names
}
