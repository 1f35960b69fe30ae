//! `requestedSchema`: exactly the keywords each revision's schema type has, since clients validate it.

use serde_json::{Map, Value, json};

use super::{Revision, has_modes};
use crate::model::form::{ChoiceItem, Field, Form, Kind};

/// A form's schema, flat and without anything else at its root.
pub(super) fn of(form: &Form, revision: Revision) -> Value {
    let properties: Map<_, _> = form
        .fields()
        .iter()
        .map(|field| (field.name.clone(), property(field, revision)))
        .collect();
    let required: Vec<_> = form
        .fields()
        .iter()
        .filter(|field| field.required())
        .map(|field| field.name.as_str())
        .collect();
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

fn property(field: &Field, revision: Revision) -> Value {
    let mut property = Property(Map::new());
    property.set("type", Some(type_name(&field.kind)));
    property.set("title", field.title.as_deref());
    property.set("description", field.description.as_deref());
    property.constrain(&field.kind, revision);
    // 2025-06-18 knows a default for booleans alone.
    if has_modes(revision) || matches!(field.kind, Kind::Boolean(_)) {
        property.set("default", field.kind.default());
    }
    Value::Object(property.0)
}

fn type_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Text(_) | Kind::Choice(_) => "string",
        Kind::Integer(_) => "integer",
        Kind::Number(_) => "number",
        Kind::Boolean(_) => "boolean",
        Kind::Choices(_) => "array",
    }
}

struct Property(Map<String, Value>);

impl Property {
    fn set(&mut self, key: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.0.insert(key.to_owned(), value.into());
        }
    }

    fn constrain(&mut self, kind: &Kind, revision: Revision) {
        match kind {
            Kind::Text(kind) => {
                self.set("minLength", kind.min_len);
                self.set("maxLength", kind.max_len);
                self.set(
                    "format",
                    kind.format.map(crate::model::form::Format::as_str),
                );
            }
            Kind::Integer(kind) => {
                self.set("minimum", kind.min);
                self.set("maximum", kind.max);
            }
            Kind::Number(kind) => {
                self.set("minimum", kind.min);
                self.set("maximum", kind.max);
            }
            Kind::Boolean(_) => {}
            Kind::Choice(kind) if !titled(&kind.items) => {
                self.set("enum", Some(values(&kind.items)));
            }
            Kind::Choice(kind) if has_modes(revision) && !kind.enum_names => {
                self.set("oneOf", Some(pairs(&kind.items)));
            }
            Kind::Choice(kind) => {
                self.set("enum", Some(values(&kind.items)));
                let labels: Vec<_> = kind.items.iter().map(ChoiceItem::label).collect();
                self.set("enumNames", Some(labels));
            }
            Kind::Choices(kind) => {
                self.set("minItems", kind.min_items);
                self.set("maxItems", kind.max_items);
                let items = if titled(&kind.items) {
                    json!({"anyOf": pairs(&kind.items)})
                } else {
                    json!({"type": "string", "enum": values(&kind.items)})
                };
                self.set("items", Some(items));
            }
        }
    }
}

fn titled(items: &[ChoiceItem]) -> bool {
    items.iter().any(|item| item.title.is_some())
}

fn values(items: &[ChoiceItem]) -> Vec<&str> {
    items.iter().map(|item| item.value.as_str()).collect()
}

fn pairs(items: &[ChoiceItem]) -> Vec<Value> {
    items
        .iter()
        .map(|item| json!({"const": item.value, "title": item.label()}))
        .collect()
}
