//! Tools as `tools/list` names them, and the arguments that headers repeat.

use serde_json::Value;

use super::{Object, kind};
use crate::model::remote::RemoteTool;
use crate::model::tool::Mirrored;

const KEYWORD: &str = "x-mcp-header";

/// A page of `tools/list`: the tools, and where the next page begins.
pub(crate) fn page(mut result: Object) -> Result<(Vec<Value>, Option<String>), String> {
    let tools = match result.remove("tools") {
        Some(Value::Array(tools)) => tools,
        Some(other) => return Err(format!("`tools` is {}, not a list", kind(&other))),
        None => return Err("a list of tools without `tools`".to_owned()),
    };
    let next = match result.remove("nextCursor") {
        Some(Value::String(cursor)) => Some(cursor),
        _ => None,
    };
    Ok((tools, next))
}

/// One tool. `Err` says why it cannot be used: it has no name, or its headers break the rules, for which a client over
/// HTTP must leave it out (2026-07-28 streamable HTTP, "Custom Headers").
pub(crate) fn read(tool: Value) -> Result<RemoteTool, String> {
    let Value::Object(json) = tool else {
        return Err(format!("a tool that is {}", super::kind(&tool)));
    };
    let Some(name) = json.get("name").and_then(Value::as_str).map(str::to_owned) else {
        return Err("a tool without a name".to_owned());
    };
    Ok(RemoteTool {
        name,
        json,
        mirrored: Vec::new(),
    })
}

/// The arguments that a tool's schema wants repeated in headers.
pub(crate) fn mirrored(schema: &Value) -> Result<Vec<Mirrored>, String> {
    let mut found = Vec::new();
    if schema.get(KEYWORD).is_some() {
        return Err(format!("`{KEYWORD}` stands at the root of the arguments"));
    }
    properties(schema, &mut Vec::new(), &mut found)?;
    Ok(found)
}

/// The properties of a schema that is reached through properties alone; nowhere else has the keyword a meaning.
fn properties(
    schema: &Value,
    path: &mut Vec<String>,
    found: &mut Vec<Mirrored>,
) -> Result<(), String> {
    let Some(schema) = schema.as_object() else {
        return Ok(());
    };
    for (keyword, below) in schema {
        if keyword != "properties" {
            nowhere(below)?;
            continue;
        }
        for (name, property) in below.as_object().into_iter().flatten() {
            path.push(name.clone());
            if let Some(header) = property.get(KEYWORD) {
                let header = fitting(header, property)
                    .map_err(|why| format!("`{}` {why}", path.join(".")))?;
                if found.iter().any(|other| other.header == header) {
                    return Err(format!("two arguments are repeated in `{header}`"));
                }
                found.push(Mirrored {
                    header,
                    path: path.clone(),
                });
            }
            properties(property, path, found)?;
            path.pop();
        }
    }
    Ok(())
}

fn fitting(header: &Value, property: &Value) -> Result<String, String> {
    let token = |text: &str| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        !text.is_empty() && text.bytes().all(fits)
    };
    let Some(name) = header.as_str().filter(|name| token(name)) else {
        return Err(format!("has a `{KEYWORD}` that is no header's name"));
    };
    let fits = |kind: &Value| {
        ["string", "integer", "boolean"]
            .iter()
            .any(|fitting| kind == fitting)
    };
    let mirrorable = match property.get("type") {
        Some(Value::Array(kinds)) => {
            kinds.iter().any(fits) && kinds.iter().all(|kind| fits(kind) || kind == "null")
        }
        Some(kind) => fits(kind),
        None => false,
    };
    if mirrorable {
        Ok(format!("mcp-param-{}", name.to_ascii_lowercase()))
    } else {
        Err("is no string, integer or boolean, and cannot be repeated in a header".to_owned())
    }
}

/// A schema below anything but `properties` may not have the keyword.
fn nowhere(value: &Value) -> Result<(), String> {
    match value {
        Value::Object(members) if members.contains_key(KEYWORD) => {
            Err(format!("`{KEYWORD}` stands where it has no meaning"))
        }
        Value::Object(members) => members.values().try_for_each(nowhere),
        Value::Array(items) => items.iter().try_for_each(nowhere),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema(property: &Value) -> Value {
        json!({ "type": "object", "properties": { "a": property } })
    }

    #[test]
    fn headers_are_found_through_properties() {
        let nested = json!({ "type": "object", "properties": {
            "region": { "type": ["string", "null"], "x-mcp-header": "Region" },
        }});
        let found = mirrored(&schema(&nested)).expect("headers");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].header, "mcp-param-region");
        assert_eq!(found[0].path, ["a", "region"]);
    }

    #[test]
    fn a_header_that_breaks_the_rules_is_an_error() {
        for property in [
            json!({ "type": "string", "x-mcp-header": "" }),
            json!({ "type": "string", "x-mcp-header": "two words" }),
            json!({ "type": "string", "x-mcp-header": 7 }),
            json!({ "type": "number", "x-mcp-header": "A" }),
            json!({ "type": "array", "x-mcp-header": "A" }),
            json!({ "type": "null", "x-mcp-header": "A" }),
            json!({ "type": "array", "items": { "type": "string", "x-mcp-header": "A" } }),
            json!({ "anyOf": [{ "type": "string", "x-mcp-header": "A" }] }),
        ] {
            assert!(mirrored(&schema(&property)).is_err(), "{property}");
        }
    }

    #[test]
    fn two_arguments_of_one_header_are_an_error_whatever_the_case() {
        let twice = json!({ "type": "object", "properties": {
            "a": { "type": "string", "x-mcp-header": "Region" },
            "b": { "type": "string", "x-mcp-header": "REGION" },
        }});
        assert!(mirrored(&twice).is_err());
    }

    #[test]
    fn a_page_has_tools() {
        let page = |json: &Value| page(json.as_object().cloned().expect("an object"));
        assert!(page(&json!({})).is_err());
        let (tools, next) = page(&json!({ "tools": [{}], "nextCursor": "" })).expect("a page");
        assert_eq!((tools.len(), next.as_deref()), (1, Some("")));
    }
}
