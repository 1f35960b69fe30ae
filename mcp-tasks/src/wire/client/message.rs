//! JSON-RPC messages as a client writes and reads them.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::{Object, excerpt};
use crate::model::error::RpcError;
use crate::wire::Frame;

/// One message of the server's.
#[derive(Debug)]
pub(crate) enum Incoming {
    Request {
        id: Value,
        method: String,
        params: Object,
    },
    Notification {
        method: String,
        params: Object,
    },
    /// `id` is `None` in an error about a message that the server could not read.
    Response {
        id: Option<u64>,
        outcome: Result<Value, RpcError>,
    },
}

/// Reads a message, or the members of a batch (2025-03-26 has them). `Err` says what it is instead; a response that
/// cannot be read in full still ends its request, with an error, and a member of a batch takes no other along.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Incoming>, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match serde_json::from_slice(bytes) {
        Ok(Value::Array(members)) => Ok(members.into_iter().filter_map(member).collect()),
        Ok(message) => Ok(vec![one(message)?]),
        Err(error) => unreadable(bytes, &error).map(|message| vec![message]),
    }
}

fn member(message: Value) -> Option<Incoming> {
    one(message)
        .inspect_err(|why| tracing::warn!("a member of a batch is passed over: {why}"))
        .ok()
}

fn one(message: Value) -> Result<Incoming, String> {
    let Value::Object(mut members) = message else {
        return Err(format!(
            "{} is no JSON-RPC message",
            excerpt(&message.to_string())
        ));
    };
    let id = members.remove("id");
    let method = members.remove("method");
    if let Some(Value::String(method)) = method {
        let params = match members.remove("params") {
            Some(Value::Object(params)) => params,
            _ => Object::new(),
        };
        return Ok(match id {
            Some(id) => Incoming::Request { id, method, params },
            None => Incoming::Notification { method, params },
        });
    }
    let id = id.and_then(own_id);
    let outcome = match (members.remove("error"), members.remove("result")) {
        (Some(error), _) if !error.is_null() => Err(rpc_error(&error)),
        (_, Some(result)) => Ok(result),
        _ if id.is_some() && method.is_none() => Err(RpcError::internal(
            "the server's response has neither `result` nor `error`",
        )),
        _ => return Err("a message is neither request, notification nor response".to_owned()),
    };
    Ok(Incoming::Response { id, outcome })
}

/// This client's ids are numbers. Some servers give them back as text, or as `1.0`.
fn own_id(id: Value) -> Option<u64> {
    match id {
        Value::Number(number) => number
            .as_u64()
            .or_else(|| number.to_string().strip_suffix(".0")?.parse().ok()),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// An error object, as lenient as can be: it stands for the whole answer.
pub(crate) fn rpc_error(error: &Value) -> RpcError {
    let code = error["code"].as_i64().unwrap_or(RpcError::INTERNAL);
    let message = match error["message"].as_str() {
        Some(message) => message.to_owned(),
        None => excerpt(&error.to_string()),
    };
    let plain = RpcError::new(code, message);
    match error.get("data") {
        Some(data) if !data.is_null() => plain.with_data(data),
        _ => plain,
    }
}

/// JSON that is nested too deeply, or a number that no type holds, ends the request it answers.
fn unreadable(bytes: &[u8], error: &serde_json::Error) -> Result<Incoming, String> {
    #[derive(Deserialize)]
    struct Response {
        id: Value,
        #[serde(default)]
        method: Option<IgnoredAny>,
    }
    match serde_json::from_slice::<Response>(bytes) {
        Ok(Response { id, method: None }) => Ok(Incoming::Response {
            id: own_id(id),
            outcome: Err(RpcError::internal(format!(
                "the server's response cannot be read: {error}"
            ))),
        }),
        _ => Err(format!(
            "{error}: {}",
            excerpt(&String::from_utf8_lossy(bytes))
        )),
    }
}

pub(crate) fn request(id: u64, method: &str, params: &Object) -> Frame {
    let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
    // Some servers choke on empty parameters where a method has none.
    if !params.is_empty() {
        message["params"] = params.clone().into();
    }
    frame(&message)
}

pub(crate) fn notification(method: &str, params: &Object) -> Frame {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    if !params.is_empty() {
        message["params"] = params.clone().into();
    }
    frame(&message)
}

/// The answer to a request of the server's.
pub(crate) fn response(id: &Value, outcome: Result<Value, RpcError>) -> Frame {
    frame(&match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(error) => {
            let error = json!({ "code": error.code, "message": error.message });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    })
}

fn frame(message: &Value) -> Frame {
    message.to_string().into_bytes()
}

#[cfg(test)]
mod tests;
