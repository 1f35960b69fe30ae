//! Arguments that a header repeats (2026-07-28 streamable HTTP, "Custom Headers").

use std::borrow::Cow;
use std::collections::HashMap;

use http::HeaderMap;
use serde_json::value::RawValue;

use super::headers::{decoded, mismatch};
use crate::model::error::RpcError;
use crate::model::tool::Mirrored;

/// The header says what the argument says; of an argument that is absent or null nothing is expected.
pub(super) fn check(
    headers: &HeaderMap,
    mirrored: &Mirrored,
    arguments: Option<&RawValue>,
) -> Result<(), RpcError> {
    let Some(argument) = arguments.and_then(|arguments| find(arguments, &mirrored.path)) else {
        return Ok(());
    };
    let name = &mirrored.header;
    let mut sent = headers.get_all(name).iter().peekable();
    if sent.peek().is_none() {
        let argument = mirrored.path.join(".");
        return Err(mismatch(format!(
            "the {name} header is missing, which repeats the argument `{argument}`"
        )));
    }
    for header in sent {
        if !says(&decoded(header)?, argument) {
            return Err(mismatch(format!(
                "the {name} header does not say what the body says"
            )));
        }
    }
    Ok(())
}

/// The value at `path`, if it is one that a header can repeat. Anything else is for the tool to refuse.
fn find<'a>(arguments: &'a RawValue, path: &[String]) -> Option<&'a RawValue> {
    let mut value = arguments;
    for name in path {
        let members: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(value.get()).ok()?;
        value = members.get(name.as_str()).copied()?;
    }
    let text = value.get();
    (text != "null" && !text.starts_with(['{', '['])).then_some(value)
}

fn says(header: &str, argument: &RawValue) -> bool {
    let text = argument.get();
    match text.as_bytes().first() {
        Some(b'"') => serde_json::from_str::<Cow<'_, str>>(text).is_ok_and(|text| text == header),
        Some(b't' | b'f') => text == header,
        _ => same_number(header, text),
    }
}

/// Integers are compared as numbers: `30.0` is `30`.
fn same_number(header: &str, argument: &str) -> bool {
    let (Ok(header), Ok(argument)) = (number(header), number(argument)) else {
        return false;
    };
    match (header.as_i64(), argument.as_i64()) {
        (Some(header), Some(argument)) => header == argument,
        _ => header.as_f64() == argument.as_f64(),
    }
}

fn number(text: &str) -> serde_json::Result<serde_json::Number> {
    serde_json::from_str(text)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderValue, Request};
    use http_body_util::Full;
    use serde_json::json;
    use tower_service::Service as _;

    use super::*;
    use crate::server::Server;
    use crate::tool::runtime::RuntimeTool;

    fn code(header: Option<&str>, arguments: &str) -> Option<i64> {
        let mut headers = HeaderMap::new();
        if let Some(header) = header {
            let value = HeaderValue::from_str(header).expect("a header");
            headers.insert("Mcp-Param-Region", value);
        }
        let mirrored = Mirrored {
            header: "mcp-param-region".into(),
            path: vec!["where".into(), "region".into()],
        };
        let arguments = RawValue::from_string(arguments.to_owned()).expect("JSON");
        check(&headers, &mirrored, Some(&arguments))
            .err()
            .map(|error| error.code)
    }

    fn at(value: &str) -> String {
        format!(r#"{{"where":{{"region":{value},"x":1}}}}"#)
    }

    #[test]
    fn a_header_says_what_the_argument_says() {
        for (header, value) in [
            ("eu-1", r#""eu-1""#),
            (" eu-1\t", r#""eu-1""#),
            ("eu-1", r#""eu\u002d1""#),
            ("=?base64?Z3LDtsOfZQ==?=", r#""größe""#),
            ("=?base64?IHg=?=", r#"" x""#),
            ("SGVsbG8=", r#""SGVsbG8=""#),
            ("=?base64?SGVsbG8=", r#""=?base64?SGVsbG8=""#),
            ("", r#""""#),
            ("30", "30"),
            ("30", "30.0"),
            ("-9007199254740991", "-9007199254740991"),
            ("true", "true"),
            ("30", r#""30""#),
        ] {
            assert_eq!(code(Some(header), &at(value)), None, "{header:?} {value}");
        }
    }

    #[test]
    fn any_other_header_is_refused() {
        for (header, value) in [
            ("eu-2", r#""eu-1""#),
            ("EU-1", r#""eu-1""#),
            ("=?base64?SGVsbG8?=", r#""Hello""#),
            ("=?base64?SGVs!!!bG8=?=", r#""Hello""#),
            ("31", "30"),
            ("9007199254740993", "9007199254740992"),
            ("NaN", "30"),
            ("True", "true"),
            ("false", "true"),
        ] {
            assert_eq!(
                code(Some(header), &at(value)),
                Some(-32020),
                "{header:?} {value}"
            );
        }
        assert_eq!(code(None, &at(r#""eu-1""#)), Some(-32020));
    }

    #[test]
    fn of_nothing_no_header_is_expected() {
        for arguments in [
            "{}",
            &at("null"),
            r#"{"where":null}"#,
            r#"{"where":7}"#,
            &at("[1]"),
        ] {
            assert_eq!(code(None, arguments), None, "{arguments}");
        }
    }

    #[tokio::test]
    async fn a_call_whose_header_differs_never_reaches_its_tool() {
        let schema = json!({ "type": "object", "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
        } });
        let tool = RuntimeTool::new("route", "Routes.", |_, _| async { "routed" });
        let server = Server::new("x").add_tool(tool.input_schema(schema));
        let mut service = server.into_service().expect("a server");
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "route",
            "arguments": { "region": "eu" },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        } });
        for (header, status) in [(Some("eu"), 200), (Some("us"), 400), (None, 400)] {
            let mut request = Request::post("/mcp")
                .header("host", "localhost")
                .header("mcp-protocol-version", "2026-07-28")
                .header("mcp-method", "tools/call")
                .header("mcp-name", "route");
            if let Some(header) = header {
                request = request.header("mcp-param-region", header);
            }
            let request = request.body(Full::new(Bytes::from(body.to_string())));
            let response = service.call(request.expect("a request")).await;
            let response = response.expect("an answer");
            assert_eq!(response.status(), status, "{header:?}");
        }
    }
}
