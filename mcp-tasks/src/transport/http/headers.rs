//! The headers of a 2026-07-28 request, which repeat what its body says (streamable HTTP, "Request Headers").

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::model::error::RpcError;
use crate::wire::Revision;

// Names as the map has them: a text would be read as one at every use.
pub(super) static SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// What a request says in one header.
#[derive(Clone, Copy, Default)]
enum Said<'h> {
    #[default]
    Nothing,
    Once(&'h HeaderValue),
    /// The first of several values.
    More(&'h HeaderValue),
}

/// The headers of a request, of which those that the protocol names were found in one pass over all.
pub(super) struct RequestHeaders<'h> {
    pub(super) all: &'h HeaderMap,
    version: Said<'h>,
    session: Said<'h>,
    last_event: Said<'h>,
    method: Said<'h>,
    name: Said<'h>,
}

impl<'h> RequestHeaders<'h> {
    pub(super) fn of(all: &'h HeaderMap) -> Self {
        let mut found = Self {
            all,
            version: Said::Nothing,
            session: Said::Nothing,
            last_event: Said::Nothing,
            method: Said::Nothing,
            name: Said::Nothing,
        };
        for (name, value) in all {
            let said = match name.as_str() {
                "mcp-protocol-version" => &mut found.version,
                "mcp-session-id" => &mut found.session,
                "last-event-id" => &mut found.last_event,
                "mcp-method" => &mut found.method,
                "mcp-name" => &mut found.name,
                _ => continue,
            };
            said.also(value);
        }
        found
    }

    /// The session that the request belongs to.
    pub(super) fn session_id(&self) -> Option<&'h str> {
        self.session.first()?.to_str().ok()
    }

    /// The event after which a client wants to go on.
    pub(super) fn last_event(&self) -> Option<&'h str> {
        self.last_event.first()?.to_str().ok()
    }

    /// The revision that the version header names, if it names one that is known.
    pub(super) fn revision(&self) -> Option<Revision> {
        let version = self.version.first()?.to_str().ok()?;
        Revision::parse(version.trim())
    }

    /// Whether the version header names something else.
    pub(super) fn names_unknown_version(&self) -> bool {
        self.version.first().is_some() && self.revision().is_none()
    }

    /// The version header is there and says what the body's metadata says, if that says anything.
    pub(super) fn check_version(&self, in_body: Option<&str>) -> Result<(), RpcError> {
        let header = self.version.text("mcp-protocol-version")?;
        let header =
            header.ok_or_else(|| mismatch("the MCP-Protocol-Version header is missing"))?;
        match in_body {
            Some(version) if version != header => Err(mismatch(
                "the MCP-Protocol-Version header and the body name different versions",
            )),
            _ => Ok(()),
        }
    }

    /// `Mcp-Method` says what the body says.
    pub(super) fn check_method(&self, in_body: &str) -> Result<(), RpcError> {
        match self.method.text("mcp-method")? {
            None => Err(mismatch("the Mcp-Method header is missing")),
            Some(header) if header == in_body => Ok(()),
            Some(_) => Err(mismatch(
                "the Mcp-Method header and the body name different methods",
            )),
        }
    }

    /// `Mcp-Name` is there and says what the body says.
    pub(super) fn check_name(&self, in_body: &str) -> Result<(), RpcError> {
        match self.name.single("mcp-name")? {
            None => Err(mismatch("the Mcp-Name header is missing")),
            Some(header) if decoded(header)? == in_body => Ok(()),
            Some(_) => Err(mismatch(
                "the Mcp-Name header does not name what the body names",
            )),
        }
    }

    /// `Mcp-Name`, if it is there, says what the body says.
    pub(super) fn check_name_if_any(&self, in_body: &str) -> Result<(), RpcError> {
        match self.name {
            Said::Nothing => Ok(()),
            _ => self.check_name(in_body),
        }
    }
}

impl<'h> Said<'h> {
    fn also(&mut self, value: &'h HeaderValue) {
        *self = match *self {
            Self::Nothing => Self::Once(value),
            Self::Once(first) | Self::More(first) => Self::More(first),
        };
    }

    fn first(self) -> Option<&'h HeaderValue> {
        match self {
            Self::Nothing => None,
            Self::Once(first) | Self::More(first) => Some(first),
        }
    }

    /// The one value. Of two, somebody on the way may have read the other.
    fn single(self, name: &str) -> Result<Option<&'h HeaderValue>, RpcError> {
        match self {
            Self::Nothing => Ok(None),
            Self::Once(value) => Ok(Some(value)),
            Self::More(_) => Err(mismatch(format!("the {name} header comes twice"))),
        }
    }

    fn text(self, name: &str) -> Result<Option<&'h str>, RpcError> {
        let value = self.single(name)?.map(HeaderValue::to_str).transpose();
        let value = value.map_err(|_| mismatch(format!("the {name} header is not text")))?;
        Ok(value.map(str::trim))
    }
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

    fn version(headers: &HeaderMap, in_body: Option<&str>) -> Result<(), RpcError> {
        RequestHeaders::of(headers).check_version(in_body)
    }

    fn method(headers: &HeaderMap, in_body: &str) -> Result<(), RpcError> {
        RequestHeaders::of(headers).check_method(in_body)
    }

    fn name(headers: &HeaderMap, in_body: &str) -> Result<(), RpcError> {
        RequestHeaders::of(headers).check_name(in_body)
    }

    fn name_if_any(headers: &HeaderMap, in_body: &str) -> Result<(), RpcError> {
        RequestHeaders::of(headers).check_name_if_any(in_body)
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
    fn of_two_values_none_is_believed() {
        let mut twice = headers(&[("mcp-method", "tools/call"), ("mcp-name", "greet")]);
        for header in ["mcp-method", "mcp-name"] {
            let value = twice[header].clone();
            twice.append(header, value);
        }
        assert_eq!(code(method(&twice, "tools/call")), Some(-32020));
        for check in [name, name_if_any] {
            assert_eq!(code(check(&twice, "greet")), Some(-32020));
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
            code(RequestHeaders::of(&sent).check_name(in_body))
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
