//! A JSON Schema, as far as typing words by it and describing it go.

use serde_json::{Map, Value};

use crate::clean;

/// How many references in a row are followed.
const REFERENCES: usize = 16;
/// How many words of an `enum` are shown.
const SHOWN_WORDS: usize = 20;

/// A schema, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schema<'a> {
    root: &'a Value,
    here: &'a Value,
}

/// What a value can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Boolean,
    Integer,
    Number,
    Object,
    Array,
    String,
    Null,
}

impl Kind {
    /// All kinds in the order in which a word is tried: text is what everything is, so it comes last; a word that says
    /// `null` is a text first.
    const ALL: [(Self, &'static str, &'static str); 7] = [
        (Self::Boolean, "boolean", "true or false"),
        (Self::Integer, "integer", "a whole number"),
        (Self::Number, "number", "a number"),
        (Self::Object, "object", "a JSON object"),
        (Self::Array, "array", "a list"),
        (Self::String, "string", "text"),
        (Self::Null, "null", "null"),
    ];
}

impl<'a> Schema<'a> {
    pub(crate) fn new(root: &'a Value) -> Self {
        Self { root, here: root }
    }

    fn at(self, here: &'a Value) -> Self {
        Self { here, ..self }
    }

    /// Where a reference within the document leads. One that leads out of it, or round in circles, leads nowhere.
    fn resolved(self) -> Self {
        let mut here = self.here;
        for _ in 0..REFERENCES {
            let Some(reference) = here.get("$ref").and_then(Value::as_str) else {
                return self.at(here);
            };
            let pointer = reference.strip_prefix('#');
            match pointer.and_then(|pointer| self.root.pointer(pointer)) {
                Some(target) => here = target,
                None => return self.at(&Value::Null),
            }
        }
        self.at(&Value::Null)
    }

    /// The keyword's value, behind references too.
    pub(crate) fn keyword(self, name: &str) -> Option<&'a Value> {
        // A keyword beside `$ref` is nearer than the same behind it.
        self.here
            .get(name)
            .or_else(|| self.resolved().here.get(name))
    }

    fn map(self, name: &str) -> Option<&'a Map<String, Value>> {
        self.keyword(name)?.as_object()
    }

    pub(crate) fn properties(self) -> impl Iterator<Item = (&'a str, Self)> {
        let properties = self.map("properties").into_iter().flatten();
        properties.map(move |(name, schema)| (name.as_str(), self.at(schema)))
    }

    pub(crate) fn property(self, name: &str) -> Option<Self> {
        self.map("properties")?
            .get(name)
            .map(|schema| self.at(schema))
    }

    pub(crate) fn required(self) -> impl Iterator<Item = &'a str> {
        let names = self.keyword("required").and_then(Value::as_array);
        names.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Whether objects may have members that `properties` does not list. JSON Schema lets them unless it is said
    /// otherwise; but a schema that lists its properties and says nothing hardly means that any other has a use.
    pub(crate) fn is_open(self) -> bool {
        match self.keyword("additionalProperties") {
            Some(Value::Bool(open)) => *open,
            Some(_) => true,
            None => {
                let listed = self.map("properties").is_some_and(|all| !all.is_empty());
                let combined = ["patternProperties", "anyOf", "oneOf", "allOf", "if"];
                !listed || combined.iter().any(|name| self.keyword(name).is_some())
            }
        }
    }

    pub(crate) fn items(self) -> Self {
        self.keyword("items")
            .map_or(self.at(&Value::Null), |items| self.at(items))
    }

    /// Schemas of which one has to fit; none where there is no such choice.
    pub(crate) fn alternatives(self) -> Vec<Self> {
        let all = ["anyOf", "oneOf"]
            .into_iter()
            .find_map(|name| self.keyword(name)?.as_array());
        // An `allOf` of one is what generators make of a reference with a description beside it.
        let single = || {
            self.keyword("allOf")?
                .as_array()
                .filter(|all| all.len() == 1)
        };
        let all = all.or_else(single).into_iter().flatten();
        all.map(|schema| self.at(schema)).collect()
    }

    /// The only values that fit, where they are listed.
    pub(crate) fn words(self) -> Option<Vec<&'a Value>> {
        match self.keyword("const") {
            Some(only) => Some(vec![only]),
            None => Some(self.keyword("enum")?.as_array()?.iter().collect()),
        }
    }

    /// What a value can be; empty where the schema does not say.
    pub(crate) fn kinds(self) -> Vec<Kind> {
        let named = |name: &str| match self.keyword("type") {
            Some(Value::String(one)) => one == name,
            Some(Value::Array(several)) => several.iter().any(|one| one == name),
            _ => match name {
                "object" => self.keyword("properties").is_some(),
                "array" => self.keyword("items").is_some(),
                _ => false,
            },
        };
        let kinds = Kind::ALL.into_iter().filter(|(_, name, _)| named(name));
        kinds.map(|(kind, ..)| kind).collect()
    }

    /// What a value must be, in words.
    pub(crate) fn expected(self) -> String {
        self.expected_within(0)
    }

    fn expected_within(self, depth: usize) -> String {
        if depth > REFERENCES {
            return "any JSON".to_owned();
        }
        if let Some(words) = self.words() {
            return listed(&words);
        }
        let alternatives = self.alternatives();
        let mut names: Vec<_> = if alternatives.is_empty() {
            self.kinds()
                .into_iter()
                .map(|kind| self.named(kind, depth))
                .collect()
        } else {
            alternatives
                .into_iter()
                .map(|one| one.expected_within(depth + 1))
                .collect()
        };
        names.dedup();
        if names.is_empty() {
            return "any JSON".to_owned();
        }
        names.join(" or ")
    }

    fn named(self, kind: Kind, depth: usize) -> String {
        match kind {
            Kind::Array => format!("a list of {}", self.items().expected_within(depth + 1)),
            other => Kind::ALL[other as usize].2.to_owned(),
        }
    }
}

/// `one of a, b, c`.
fn listed(words: &[&Value]) -> String {
    let shown = words
        .iter()
        .take(SHOWN_WORDS)
        .map(|word| clean::line(&plain(word)));
    let mut shown: Vec<_> = shown.collect();
    if words.len() > SHOWN_WORDS {
        shown.push(format!("{} more", words.len() - SHOWN_WORDS));
    }
    match &shown[..] {
        [one] => one.clone(),
        _ => format!("one of {}", shown.join(", ")),
    }
}

/// A value as a person would type it.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_expected_is_told_in_words() {
        for (schema, words) in [
            (json!({ "type": "integer" }), "a whole number"),
            (json!({ "type": ["string", "null"] }), "text or null"),
            (json!({ "enum": ["a", 2] }), "one of a, 2"),
            (json!({ "const": "only" }), "only"),
            (
                json!({ "type": "array", "items": { "type": "number" } }),
                "a list of a number",
            ),
            (
                json!({ "anyOf": [{ "type": "boolean" }, { "type": "null" }] }),
                "true or false or null",
            ),
            (json!(true), "any JSON"),
            (json!({}), "any JSON"),
        ] {
            assert_eq!(Schema::new(&schema).expected(), words, "{schema}");
        }
    }

    #[test]
    fn references_are_followed_and_circles_end() {
        let schema = json!({
            "properties": { "a": { "$ref": "#/$defs/n" }, "b": { "$ref": "#/$defs/loop" }, "c": { "$ref": "http://x" } },
            "$defs": { "n": { "type": "integer" }, "loop": { "$ref": "#/$defs/loop" }, "list": { "items": { "$ref": "#/$defs/list" } } },
        });
        let expected = |name| Schema::new(&schema).property(name).unwrap().expected();
        assert_eq!(expected("a"), "a whole number");
        assert_eq!(expected("b"), "any JSON");
        assert_eq!(expected("c"), "any JSON");
        let list = schema.pointer("/$defs/list").unwrap();
        assert!(
            Schema {
                root: &schema,
                here: list
            }
            .expected()
            .ends_with("any JSON")
        );
    }

    #[test]
    fn an_object_is_open_where_nothing_speaks_against_it() {
        let open = |schema: &Value| Schema::new(schema).is_open();
        assert!(!open(&json!({ "properties": { "a": {} } })));
        assert!(!open(
            &json!({ "properties": {}, "additionalProperties": false })
        ));
        assert!(open(
            &json!({ "properties": { "a": {} }, "additionalProperties": true })
        ));
        assert!(open(
            &json!({ "properties": { "a": {} }, "additionalProperties": { "type": "string" } })
        ));
        assert!(open(&json!({ "type": "object" })));
        assert!(open(&json!({ "properties": { "a": {} }, "oneOf": [{}] })));
    }
}
