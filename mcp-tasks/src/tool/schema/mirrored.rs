//! `x-mcp-header`: arguments that HTTP clients repeat in a header (2026-07-28 streamable HTTP, "Custom Headers").

use serde_json::Value;

use super::{Object, for_each_below};
use crate::model::tool::Mirrored;

const KEYWORD: &str = "x-mcp-header";

/// The arguments that a schema says are repeated, or why clients would drop the tool for what it says.
pub(in crate::tool) fn mirrored(schema: &Object) -> Result<Vec<Mirrored>, Vec<String>> {
    let mut found = Found::default();
    if schema.contains_key(KEYWORD) {
        found.misplaced();
    }
    found.properties(schema, &[]);
    if found.faults.is_empty() {
        Ok(found.mirrored)
    } else {
        Err(found.faults)
    }
}

#[derive(Default)]
struct Found {
    mirrored: Vec<Mirrored>,
    faults: Vec<String>,
}

impl Found {
    /// The properties of an object that is reached through properties alone, and what else is below it.
    fn properties(&mut self, schema: &Object, path: &[String]) {
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let Some(property) = property.as_object() else {
                continue;
            };
            let path = [path, std::slice::from_ref(name)].concat();
            if let Some(header) = property.get(KEYWORD) {
                self.take(header, property, &path);
            }
            self.properties(property, &path);
        }
        let mut rest = schema.clone();
        rest.remove("properties");
        for_each_below(&rest, &mut |below| self.elsewhere(below));
    }

    fn take(&mut self, header: &Value, property: &Object, path: &[String]) {
        let at = path.join(".");
        let Some(header) = header.as_str().filter(|header| is_token(header)) else {
            self.faults.push(format!(
                "`{KEYWORD}` of `{at}` must be the name of a header: letters, digits and `!#$%&'*+-.^_|~` or a backtick"
            ));
            return;
        };
        if !is_mirrorable(property) {
            self.faults.push(format!(
                "`{at}` cannot be repeated in a header: only strings, integers and booleans can"
            ));
        }
        let header = format!("mcp-param-{}", header.to_ascii_lowercase());
        if self.mirrored.iter().any(|other| other.header == header) {
            self.faults.push(format!(
                "`{at}` is repeated in the header of another argument, `{header}`"
            ));
        }
        self.mirrored.push(Mirrored {
            header,
            path: path.to_vec(),
        });
    }

    /// No client looks for the keyword here.
    fn elsewhere(&mut self, schema: &Object) {
        if schema.contains_key(KEYWORD) {
            self.misplaced();
        }
        for_each_below(schema, &mut |below| self.elsewhere(below));
    }

    fn misplaced(&mut self) {
        let fault = format!(
            "`{KEYWORD}` stands where no client reads it: it belongs to properties of the arguments, or of objects in them"
        );
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }
}

fn is_mirrorable(property: &Object) -> bool {
    let fits = |kind: &Value| {
        ["string", "integer", "boolean"]
            .iter()
            .any(|fitting| kind == fitting)
    };
    match property.get("type") {
        Some(Value::Array(kinds)) => {
            kinds.iter().any(fits) && kinds.iter().all(|kind| fits(kind) || kind == "null")
        }
        Some(kind) => fits(kind),
        None => false,
    }
}

/// RFC 9110 section 5.6.2.
fn is_token(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(schema: Value) -> Result<Vec<(String, String)>, String> {
        let Value::Object(schema) = schema else {
            panic!("a schema is an object")
        };
        let pair = |one: Mirrored| (one.header, one.path.join("."));
        mirrored(&schema)
            .map(|all| all.into_iter().map(pair).collect())
            .map_err(|faults| faults.join("; "))
    }

    #[test]
    fn annotated_properties_are_found_at_any_depth() {
        let schema = json!({ "type": "object", "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "count": { "type": ["integer", "null"], "x-mcp-header": "X~Count" },
            "x-mcp-header": { "type": "string" },
            "plain": { "type": "string", "default": { "x-mcp-header": 1 } },
            "inner": { "type": "object", "properties": {
                "dry": { "type": "boolean", "x-mcp-header": "Dry" },
            } },
        } });
        let pair = |header: &str, path: &str| (header.to_owned(), path.to_owned());
        assert_eq!(
            read(schema).unwrap(),
            [
                pair("mcp-param-region", "region"),
                pair("mcp-param-x~count", "count"),
                pair("mcp-param-dry", "inner.dry"),
            ]
        );
    }

    #[test]
    fn what_clients_would_drop_the_tool_for_is_told() {
        let property = |schema: Value| json!({ "properties": { "p": schema } });
        for header in [json!(""), json!("a b"), json!("a:b"), json!("ü"), json!(7)] {
            let text = read(property(
                json!({ "type": "string", "x-mcp-header": header }),
            ));
            assert!(text.unwrap_err().contains("must be the name of a header"));
        }
        for kind in [
            json!("number"),
            json!("array"),
            json!(["string", "object"]),
            json!("null"),
        ] {
            let text = read(property(json!({ "type": kind, "x-mcp-header": "P" })));
            assert!(
                text.unwrap_err()
                    .contains("only strings, integers and booleans")
            );
        }
        let untyped = read(property(
            json!({ "$ref": "#/$defs/x", "x-mcp-header": "P" }),
        ));
        assert!(untyped.is_err());
        let twice = json!({ "properties": {
            "a": { "type": "string", "x-mcp-header": "Region" },
            "b": { "type": "string", "x-mcp-header": "region" },
        } });
        let text = read(twice).unwrap_err();
        assert_eq!(
            text,
            "`b` is repeated in the header of another argument, `mcp-param-region`"
        );
    }

    #[test]
    fn elsewhere_no_client_reads_it() {
        let marked = json!({ "type": "string", "x-mcp-header": "P" });
        let object = json!({ "type": "object", "properties": { "x": marked } });
        for schema in [
            json!({ "x-mcp-header": "P" }),
            json!({ "properties": { "l": { "type": "array", "items": marked } } }),
            json!({ "properties": { "l": { "type": "array", "items": object } } }),
            json!({ "properties": { "o": { "anyOf": [object] } } }),
            json!({ "$defs": { "d": object } }),
            json!({ "then": object }),
            json!({ "additionalProperties": marked }),
        ] {
            let text = read(schema.clone()).unwrap_err();
            assert!(text.contains("stands where no client reads it"), "{schema}");
        }
    }
}
