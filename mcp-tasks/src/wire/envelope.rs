//! The JSON-RPC envelope: one flat pass, classified by which fields are present.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::write::shorten;
use crate::model::error::RpcError;

pub(crate) use super::params::{ListenFilter, Params};

/// Bytes of a reader's complaint that go back to the client: it may quote the message.
const COMPLAINT: usize = 200;

/// A request's id, of the JSON type it came with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RequestId {
    Number(serde_json::Number),
    String(String),
    /// The digits of an integer beyond 64 bits; JSON sets no bound, and an id is echoed as it came.
    Huge(Box<str>),
}

/// A progress token has the same shape as an id.
pub(crate) type ProgressToken = RequestId;

/// One incoming message.
#[derive(Debug)]
pub(crate) enum Incoming<'a> {
    Request(Request<'a>),
    Notification(Notification<'a>),
    Response(Response<'a>),
    /// The members of a batch; only 2025-03-26 has them.
    Batch(Vec<&'a RawValue>),
}

#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) id: RequestId,
    pub(crate) method: Cow<'a, str>,
    pub(crate) params: Params<'a>,
}

#[derive(Debug)]
pub(crate) struct Notification<'a> {
    pub(crate) method: Cow<'a, str>,
    pub(crate) params: Params<'a>,
}

/// An answer to a request of the server's.
#[derive(Debug)]
pub(crate) struct Response<'a> {
    /// `None` in an error about a message whose id the client could not read (2025-11-25).
    pub(crate) id: Option<RequestId>,
    pub(crate) outcome: Result<&'a RawValue, RpcError>,
}

/// A message that is none, with the id to answer under where it could be read.
#[derive(Debug)]
pub(crate) struct ParseError {
    pub(crate) id: Option<RequestId>,
    pub(crate) error: RpcError,
}

/// Reads one message. White space around it and a leading byte order mark are skipped (RFC 8259 section 8.1
/// allows both); anything else beside it is a parse error.
pub(crate) fn parse(bytes: &[u8]) -> Result<Incoming<'_>, ParseError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| not_json(&error))?;
    if text.trim_ascii_start().starts_with('[') {
        return batch(text);
    }
    match serde_json::from_str::<ObjectOnly<Envelope<'_>>>(text) {
        Ok(ObjectOnly(envelope)) => envelope.classify(text),
        Err(error) => Err(refuse(text, &error)),
    }
}

fn batch(text: &str) -> Result<Incoming<'_>, ParseError> {
    match serde_json::from_str::<Vec<&RawValue>>(text) {
        Ok(members) if members.is_empty() => Err(ParseError::invalid(None, "empty batch")),
        Ok(members) => Ok(Incoming::Batch(members)),
        Err(error) => Err(not_json(&error)),
    }
}

/// The members of a message. `null` counts as absent, but for those whose null has a meaning.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Text<'a>>,
    #[serde(borrow)]
    params: Option<ObjectOnly<Params<'a>>>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

impl<'a> Envelope<'a> {
    fn classify(self, text: &'a str) -> Result<Incoming<'a>, ParseError> {
        let answers = self.result.is_some() || self.error.is_some();
        let id = self.id.map(RequestId::read);
        if self
            .jsonrpc
            .as_ref()
            .is_none_or(|version| version.0 != "2.0")
        {
            let id = id.flatten().filter(|_| !answers || self.method.is_some());
            return Err(ParseError::invalid(id, "`jsonrpc` must be \"2.0\""));
        }
        let mut params = self.params.map(|params| params.0).unwrap_or_default();
        params.message = text;
        match (self.method, id) {
            (Some(_), id) if answers => Err(ParseError::invalid(
                id.flatten(),
                "a message is a request or a response",
            )),
            (Some(Text(method)), None) => {
                Ok(Incoming::Notification(Notification { method, params }))
            }
            (Some(Text(method)), Some(Some(id))) => {
                Ok(Incoming::Request(Request { id, method, params }))
            }
            (Some(_), Some(None)) => Err(ParseError::invalid(
                None,
                "`id` must be a string or an integer",
            )),
            (None, id) if answers => response(self.id, id.flatten(), self.result, self.error),
            (None, id) => Err(ParseError::invalid(id.flatten(), "`method` is missing")),
        }
    }
}

/// A response, however malformed, ends the request it names; one that names none is never answered under an id,
/// which the client would take for the answer to a request of its own.
fn response<'a>(
    raw_id: Option<&RawValue>,
    id: Option<RequestId>,
    result: Option<&'a RawValue>,
    error: Option<&RawValue>,
) -> Result<Incoming<'a>, ParseError> {
    let no_id = raw_id.is_none_or(|raw| raw.get() == "null");
    if id.is_none() && (error.is_none() || !no_id) {
        return Err(ParseError::invalid(
            None,
            "`id` of a response must be a string or an integer",
        ));
    }
    let outcome = match (error, result) {
        (Some(error), _) => Err(client_error(error)),
        (None, Some(result)) => Ok(result),
        (None, None) => Err(RpcError::internal(
            "the client sent neither result nor error",
        )),
    };
    Ok(Incoming::Response(Response { id, outcome }))
}

fn client_error(raw: &RawValue) -> RpcError {
    #[derive(Deserialize)]
    struct ErrorObject {
        code: i64,
        message: String,
        data: Option<Box<RawValue>>,
    }
    match serde_json::from_str::<ObjectOnly<ErrorObject>>(raw.get()) {
        Ok(ObjectOnly(ErrorObject {
            code,
            message,
            data,
        })) => RpcError {
            data,
            ..RpcError::new(code, message)
        },
        Err(_) => RpcError::internal("the client sent a malformed error"),
    }
}

/// What to say of a text that is no message. A second, slow pass: the first one stopped at the first fault.
fn refuse(text: &str, error: &serde_json::Error) -> ParseError {
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return not_json(&error);
    }
    let id = serde_json::from_str::<Members<'_>>(text)
        .ok()
        .and_then(|members| members.id());
    ParseError::invalid(id, &error.to_string())
}

fn not_json(error: &dyn fmt::Display) -> ParseError {
    let message = format!("Parse error: {}", shorten(&error.to_string(), COMPLAINT));
    ParseError {
        id: None,
        error: RpcError::new(RpcError::PARSE, message),
    }
}

impl ParseError {
    fn invalid(id: Option<RequestId>, why: &str) -> Self {
        let message = format!("Invalid Request: {}", shorten(why, COMPLAINT));
        Self {
            id,
            error: RpcError::new(RpcError::INVALID_REQUEST, message),
        }
    }
}

impl RequestId {
    /// A string or an integer; `None` for anything else, a number with a fraction or an exponent included.
    pub(super) fn read(raw: &RawValue) -> Option<Self> {
        let text = raw.get();
        if text.starts_with('"') {
            return serde_json::from_str(text).ok().map(Self::String);
        }
        if let Ok(number) = text.parse::<i64>() {
            return Some(Self::Number(number.into()));
        }
        if let Ok(number) = text.parse::<u64>() {
            return Some(Self::Number(number.into()));
        }
        let digits = text.strip_prefix('-').unwrap_or(text);
        let integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        integer.then(|| Self::Huge(text.into()))
    }
}

/// A string, borrowed from the message unless it holds escapes.
#[derive(Debug, Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

/// A value that is there, `null` included.
pub(super) fn present<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// A `T` from an object alone: derived readers take an array for the fields in order.
#[derive(Debug)]
pub(super) struct ObjectOnly<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ObjectOnly<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
            type Value = ObjectOnly<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(ObjectOnly)
            }
        }
        deserializer.deserialize_map(Object(PhantomData))
    }
}

/// The members of an object in their order; a key may stand twice.
pub(super) struct Members<'a>(pub(super) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    /// The member of this name; the last one counts.
    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        let (_, raw) = self.0.iter().rfind(|(key, _)| key == name)?;
        Some(raw)
    }

    /// The id to answer a malformed request under, if there is just one. A malformed response is not answered
    /// under its id, which is one of the server's own.
    fn id(&self) -> Option<RequestId> {
        let has = |name: &str| self.0.iter().any(|(key, _)| key == name);
        if !has("method") && (has("result") || has("error")) {
            return None;
        }
        let mut ids = self
            .0
            .iter()
            .filter(|(key, _)| key == "id")
            .map(|(_, raw)| raw);
        match (ids.next(), ids.next()) {
            (Some(id), None) => RequestId::read(id),
            _ => None,
        }
    }

    /// A key that stands twice.
    pub(super) fn repeated(&self) -> Option<&str> {
        let mut seen = HashSet::new();
        self.0
            .iter()
            .map(|(key, _)| &**key)
            .find(|key| !seen.insert(*key))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object<'a>(PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for Object<'a> {
            type Value = Members<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members: Vec<(Cow<'a, str>, &'a RawValue)> = Vec::new();
                while let Some((Text(key), value)) = map.next_entry()? {
                    members.push((key, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object(PhantomData))
    }
}

#[cfg(test)]
mod tests;
