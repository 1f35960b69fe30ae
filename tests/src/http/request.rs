//! What the client says.

use serde_json::{Map, Value, json};

use crate::session::{CLIENT_CAPABILITIES, PROTOCOL_VERSION};

/// The revision whose requests stand alone.
const MODERN: &str = "2026-07-28";

/// One HTTP request.
#[derive(Clone, Debug)]
pub struct Request {
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    /// A request of this HTTP method, without a body.
    pub fn new(method: &'static str) -> Self {
        let headers = [
            ("Host", "127.0.0.1:8080"),
            ("Accept", "application/json, text/event-stream"),
        ];
        Self {
            method,
            path: "/mcp".into(),
            headers: headers
                .map(|(name, value)| (name.into(), value.into()))
                .into(),
            body: Vec::new(),
        }
    }

    /// The same to another path than `/mcp`.
    pub fn at(mut self, path: &str) -> Self {
        self.path = path.into();
        self
    }

    /// A POST of one message.
    pub fn post(message: &Value) -> Self {
        Self::new("POST").body(message.to_string())
    }

    /// A 2026-07-28 request with id 1, of a client that can do everything.
    pub fn modern(method: &str, params: Value) -> Self {
        Self::modern_with(everything(), method, params)
    }

    /// A 2026-07-28 request with id 1, of a client with these capabilities.
    pub fn modern_with(capabilities: Value, method: &str, params: Value) -> Self {
        let mut params = match params {
            Value::Object(params) => params,
            _ => Map::new(),
        };
        let meta = params.entry("_meta").or_insert_with(|| json!({}));
        meta[PROTOCOL_VERSION] = MODERN.into();
        meta[CLIENT_CAPABILITIES] = capabilities;
        let name = ["name", "taskId"]
            .iter()
            .find_map(|key| params.get(*key)?.as_str().map(str::to_owned));
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = Self::post(&message)
            .header("MCP-Protocol-Version", MODERN)
            .header("Mcp-Method", method);
        match name {
            Some(name) => request.header("Mcp-Name", &name),
            None => request,
        }
    }

    /// A 2026-07-28 call of a tool, by a client that can do everything.
    pub fn call(tool: &str, arguments: impl Into<Value>) -> Self {
        let params = json!({"name": tool, "arguments": arguments.into()});
        Self::modern("tools/call", params)
    }

    /// A 2026-07-28 request about one task.
    pub fn about(method: &str, task: &Value) -> Self {
        Self::modern(method, json!({"taskId": task["taskId"]}))
    }

    /// Sets a header, in place of one of the same name.
    #[must_use]
    pub fn header(self, name: &str, value: &str) -> Self {
        let mut request = self.without(name);
        request.headers.push((name.into(), value.into()));
        request
    }

    /// Adds a header, beside one of the same name.
    #[must_use]
    pub fn and_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Leaves a header out.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header("Content-Type", "application/json")
    }

    /// The request as it goes over the wire, whole.
    pub fn into_bytes(self) -> Vec<u8> {
        let length = self.body.len().to_string();
        let request = self.header("Content-Length", &length);
        let mut bytes = format!("{} {} HTTP/1.1\r\n", request.method, request.path).into_bytes();
        for (name, value) in &request.headers {
            bytes.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&request.body);
        bytes
    }
}

/// The capabilities of a 2026-07-28 client that can do everything.
fn everything() -> Value {
    json!({
        "elicitation": {"form": {}, "url": {}},
        "sampling": {},
        "roots": {},
        "extensions": {"io.modelcontextprotocol/tasks": {}},
    })
}
