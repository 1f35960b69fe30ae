//! The headers of a 2026-07-28 request, which repeat what its body says (streamable HTTP, "Request Headers").

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::model::error::RpcError;

// Names as the map has them: a text would be read as one at every look.
pub(super) static VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(super) static SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
pub(super) static LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
static METHOD: HeaderName = HeaderName::from_static("mcp-method");
static NAME: HeaderName = HeaderName::from_static("mcp-name");

/// The version header is there and says what the body's metadata says, if that says anything.
pub(super) fn version(headers: &HeaderMap, in_body: Option<&str>) -> Result<(), RpcError> {
    let header = text(headers, &VERSION)?
        .ok_or_else(|| mismatch("the MCP-Protocol-Version header is missing"))?;
    match in_body {
        Some(version) if version != header => Err(mismatch(
            "the MCP-Protocol-Version header and the body name different versions",
        )),
        _ => Ok(()),
    }
}

/// `Mcp-Method` says what the body says.
pub(super) fn method(headers: &HeaderMap, in_body: &str) -> Result<(), RpcError> {
    match text(headers, &METHOD)? {
        None => Err(mismatch("the Mcp-Method header is missing")),
        Some(header) if header == in_body => Ok(()),
        Some(_) => Err(mismatch(
            "the Mcp-Method header and the body name different methods",
        )),
    }
}

/// `Mcp-Name` is there and says what the body says.
pub(super) fn name(headers: &HeaderMap, in_body: &str) -> Result<(), RpcError> {
    if single(headers, &NAME)?.is_none() {
        return Err(mismatch("the Mcp-Name header is missing"));
    }
    name_if_any(headers, in_body)
}

/// `Mcp-Name`, if it is there, says what the body says.
pub(super) fn name_if_any(headers: &HeaderMap, in_body: &str) -> Result<(), RpcError> {
    match single(headers, &NAME)? {
        Some(header) if decoded(header)? != in_body => Err(mismatch(
            "the Mcp-Name header does not name what the body names",
        )),
        _ => Ok(()),
    }
}

/// A header's one value. Of two, somebody on the way may have read the other.
fn single<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'h HeaderValue>, RpcError> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        _ => Err(mismatch(format!("the {name} header comes twice"))),
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, RpcError> {
    let value = single(headers, name)?.map(HeaderValue::to_str).transpose();
    let value = value.map_err(|_| mismatch(format!("the {name} header is not text")))?;
    Ok(value.map(str::trim))
}

/// A value as it is, or what stands between `=?base64?` and `?=`, for values that no header can hold.
pub(super) fn decoded(value: &HeaderValue) -> Result<Cow<'_, str>, RpcError> {
    let text = value
        .to_str()
        .map_err(|_| mismatch("a header is not text"))?
        .trim();
    let Some(encoded) = text
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="))
    else {
        return Ok(Cow::Borrowed(text));
    };
    let bytes = STANDARD
        .decode(encoded)
        .map_err(|_| mismatch("a header is no valid Base64"))?;
    let text = String::from_utf8(bytes).map_err(|_| mismatch("a header is no UTF-8 in Base64"))?;
    Ok(Cow::Owned(text))
}

pub(super) fn mismatch(text: impl Into<Cow<'static, str>>) -> RpcError {
    RpcError::new(RpcError::HEADER_MISMATCH, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &str)| {
            (
                name.parse().expect("a name"),
                value.parse().expect("a value"),
            )
        };
        pairs.iter().map(pair).collect()
    }

    fn code(checked: Result<(), RpcError>) -> Option<i64> {
        checked.err().map(|error| error.code)
    }

    #[test]
    fn the_version_must_be_there_and_the_same() {
        let sent = headers(&[("mcp-protocol-version", " 2026-07-28 ")]);
        assert_eq!(code(version(&sent, Some("2026-07-28"))), None);
        assert_eq!(code(version(&sent, None)), None);
        assert_eq!(code(version(&sent, Some("v999"))), Some(-32020));
        assert_eq!(
            code(version(&HeaderMap::new(), Some("2026-07-28"))),
            Some(-32020)
        );
    }

    #[test]
    fn method_and_name_must_be_those_of_the_body() {
        let sent = headers(&[("Mcp-Method", "tools/call"), ("Mcp-Name", "\t greet ")]);
        assert_eq!(code(method(&sent, "tools/call")), None);
        assert_eq!(code(method(&sent, "tools/list")), Some(-32020));
        assert_eq!(code(method(&sent, "TOOLS/CALL")), Some(-32020));
        assert_eq!(code(method(&HeaderMap::new(), "tools/list")), Some(-32020));
        for check in [name, name_if_any] {
            assert_eq!(code(check(&sent, "greet")), None);
            assert_eq!(code(check(&sent, "other")), Some(-32020));
        }
    }

    #[test]
    fn a_name_may_be_missing_only_where_none_is_required() {
        assert_eq!(code(name(&HeaderMap::new(), "greet")), Some(-32020));
        assert_eq!(code(name_if_any(&HeaderMap::new(), "greet")), None);
    }

    #[test]
    fn a_name_may_come_in_base64_and_only_in_the_exact_form() {
        let name = |header: &str, in_body: &str| {
            let sent = headers(&[("mcp-name", header)]);
            code(super::name(&sent, in_body))
        };
        assert_eq!(name("=?base64?SGVsbG8=?=", "Hello"), None);
        assert_eq!(name("=?base64?Z3LDtsOfZQ==?=", "größe"), None);
        assert_eq!(
            name("=?base64?SGVsbG8?=", "Hello"),
            Some(-32020),
            "padding is missing"
        );
        assert_eq!(name("=?base64?SGVs!!!bG8=?=", "Hello"), Some(-32020));
        assert_eq!(name("SGVsbG8=", "SGVsbG8="), None, "a literal");
        assert_eq!(
            name("=?base64?SGVsbG8=", "=?base64?SGVsbG8="),
            None,
            "no end marker"
        );
        assert_eq!(
            name("=?BASE64?SGVsbG8=?=", "Hello"),
            Some(-32020),
            "markers are lower case"
        );
    }
}
