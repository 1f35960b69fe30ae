//! A client of the revisions that have sessions.

use serde_json::{Value, json};

use super::{Request, Response, Site};

/// A session that `initialize` has opened.
#[derive(Debug)]
pub struct LegacySession<'a> {
    site: &'a Site,
    revision: String,
    user: Option<String>,
    /// What the server calls it.
    pub id: String,
    /// The capabilities that the server offered.
    pub offered: Value,
}

impl<'a> LegacySession<'a> {
    /// A session of a client of `revision` that can do everything.
    pub async fn open(site: &'a Site, revision: &str) -> Self {
        Self::open_as(site, revision, None).await
    }

    /// The same for `user`.
    pub async fn open_as(site: &'a Site, revision: &str, user: Option<&str>) -> Self {
        Self::begin(site, revision, user, &initialize(revision)).await
    }

    /// A session of a client of `revision` that can do this.
    pub async fn open_with(site: &'a Site, revision: &str, capabilities: Value) -> Self {
        let mut message = initialize(revision);
        message["params"]["capabilities"] = capabilities;
        Self::begin(site, revision, None, &message).await
    }

    async fn begin(site: &'a Site, revision: &str, user: Option<&str>, first: &Value) -> Self {
        let mut session = Self {
            site,
            revision: revision.into(),
            user: user.map(str::to_owned),
            id: String::new(),
            offered: Value::Null,
        };
        let response = site.send(session.signed(Request::post(first))).await;
        assert_eq!(response.status, 200);
        session.id = response.header("mcp-session-id").expect("a session").into();
        let mut answer = response.json().await;
        assert_eq!(answer["result"]["protocolVersion"], revision);
        session.offered = answer["result"]["capabilities"].take();
        let done = session.notification("notifications/initialized", &json!({}));
        assert_eq!(site.send(done).await.status, 202);
        session
    }

    /// A request of this session, without its headers.
    pub fn request(&self, id: u64, method: &str, params: &Value) -> Request {
        self.post(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    }

    /// A call of a tool.
    pub fn call(&self, id: u64, tool: &str, arguments: &Value) -> Request {
        self.request(
            id,
            "tools/call",
            &json!({"name": tool, "arguments": arguments}),
        )
    }

    /// A notification of this session.
    pub fn notification(&self, method: &str, params: &Value) -> Request {
        self.post(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// The POST of a message that belongs to this session.
    pub fn post(&self, message: &Value) -> Request {
        self.with_headers(Request::post(message))
    }

    /// A GET of this session's own stream.
    pub fn get(&self) -> Request {
        self.with_headers(Request::new("GET"))
    }

    /// A GET that resumes a stream after one of its events.
    pub fn resume(&self, after: &str) -> Request {
        self.get().header("Last-Event-ID", after)
    }

    /// The end of this session.
    pub fn delete(&self) -> Request {
        self.with_headers(Request::new("DELETE"))
    }

    /// Sends a request of this session and reads its response, which must be one JSON message.
    pub async fn ask(&self, id: u64, method: &str, params: &Value) -> Value {
        self.site.ask(self.request(id, method, params)).await
    }

    /// Makes a 2025-11-25 task, and returns it as the creating reply shows it.
    pub async fn start_task(&self, id: u64, tool: &str, arguments: &Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments, "task": {}});
        let mut answer = self.ask(id, "tools/call", &params).await;
        let task = answer["result"]["task"].take();
        assert!(task["taskId"].is_string(), "no task was made: {answer}");
        task
    }

    /// The stream of a blocked `tasks/result`.
    pub async fn result_stream(&self, id: u64, task: &Value) -> Response {
        let params = json!({"taskId": task["taskId"]});
        self.site
            .send(self.request(id, "tasks/result", &params))
            .await
    }

    /// Answers a request of the server's.
    pub async fn answer(&self, question: &Value, result: &Value) {
        let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": result});
        assert_eq!(self.site.send(self.post(&answer)).await.status, 202);
    }

    fn with_headers(&self, request: Request) -> Request {
        let request = request
            .header("Mcp-Session-Id", &self.id)
            .header("MCP-Protocol-Version", &self.revision);
        self.signed(request)
    }

    fn signed(&self, request: Request) -> Request {
        match &self.user {
            Some(user) => request.header(super::USER, user),
            None => request,
        }
    }
}

/// The message that opens a session.
pub fn initialize(revision: &str) -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": revision,
            "capabilities": {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}},
            "clientInfo": {"name": "raw", "version": "1"},
        },
    })
}
