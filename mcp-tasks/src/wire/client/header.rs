//! Headers that repeat what a body says (2026-07-28 streamable HTTP).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::Object;
use crate::model::tool::Mirrored;

/// `Mcp-Name`: what a request is about, for the methods that have it.
pub(crate) fn name(method: &str, params: &Object) -> Option<String> {
    let key = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
        _ => return None,
    };
    params.get(key)?.as_str().map(encoded)
}

/// The headers of the arguments that are there and can be repeated.
pub(crate) fn mirrored(mirrored: &[Mirrored], arguments: &Object) -> Vec<(String, String)> {
    let value = |path: &[String]| {
        let (first, rest) = path.split_first()?;
        rest.iter()
            .try_fold(arguments.get(first)?, |value, name| value.get(name))
    };
    mirrored
        .iter()
        .filter_map(|mirrored| {
            let text = match value(&mirrored.path)? {
                Value::String(text) => encoded(text),
                Value::Bool(flag) => flag.to_string(),
                Value::Number(number) => number.to_string(),
                Value::Null | Value::Array(_) | Value::Object(_) => return None,
            };
            Some((mirrored.header.clone(), text))
        })
        .collect()
}

/// A text that a header can carry: as it is, or in base64 between marks where it would not arrive unchanged.
fn encoded(text: &str) -> String {
    let marked = text.starts_with("=?base64?") && text.ends_with("?=");
    let blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    let bytes = text.as_bytes();
    let plain = bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t'));
    if plain && !marked && !blank(bytes.first()) && !blank(bytes.last()) {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", STANDARD.encode(text))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(json: &Value) -> Object {
        json.as_object().cloned().expect("an object")
    }

    #[test]
    fn a_name_goes_with_the_methods_that_have_one() {
        let params = object(&json!({ "name": "greet", "uri": "file:///a", "taskId": "t-1" }));
        for (method, expected) in [
            ("tools/call", Some("greet")),
            ("prompts/get", Some("greet")),
            ("resources/read", Some("file:///a")),
            ("tasks/get", Some("t-1")),
            ("tasks/update", Some("t-1")),
            ("tasks/cancel", Some("t-1")),
            ("tools/list", None),
        ] {
            assert_eq!(name(method, &params).as_deref(), expected, "{method}");
        }
    }

    #[test]
    fn what_would_not_arrive_unchanged_is_encoded() {
        for (text, expected) in [
            ("eu-1", "eu-1"),
            ("", ""),
            ("two words", "two words"),
            (" x", "=?base64?IHg=?="),
            ("größe", "=?base64?Z3LDtsOfZQ==?="),
            ("a\nb", "=?base64?YQpi?="),
            ("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
        ] {
            assert_eq!(encoded(text), expected, "{text:?}");
        }
    }

    #[test]
    fn arguments_are_repeated_where_they_are_there() {
        let at = |header: &str, path: &[&str]| Mirrored {
            header: header.to_owned(),
            path: path.iter().map(|name| (*name).to_owned()).collect(),
        };
        let places = [
            at("mcp-param-region", &["where", "region"]),
            at("mcp-param-dry", &["dry"]),
            at("mcp-param-count", &["count"]),
            at("mcp-param-none", &["none"]),
            at("mcp-param-absent", &["absent", "deep"]),
        ];
        let arguments = object(
            &json!({ "where": { "region": "eu-1" }, "dry": true, "count": 30, "none": null }),
        );
        let sent = mirrored(&places, &arguments);
        let sent: Vec<_> = sent
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(
            sent,
            [
                ("mcp-param-region", "eu-1"),
                ("mcp-param-dry", "true"),
                ("mcp-param-count", "30")
            ]
        );
    }
}
