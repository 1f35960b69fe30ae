//! A server over lines that says what a test tells it to.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::time::timeout;

use crate::client::{
    Answer, Client, ClientBuilder, ClientError, Endpoint, FormQuestion, PendingCall, Wire,
};

/// How long the client may be silent, in paused time.
const PATIENCE: Duration = Duration::from_secs(3600);

pub(super) struct Script {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
}

impl Script {
    pub(super) fn new() -> (Endpoint, Self) {
        let (near, far) = tokio::io::duplex(64 * 1024);
        let (client_reader, client_writer) = tokio::io::split(near);
        let (reader, writer) = tokio::io::split(far);
        let script = Self {
            reader: BufReader::new(reader),
            writer,
        };
        (Endpoint::io(client_reader, client_writer), script)
    }

    /// A client that speaks 2026-07-28, as its server says it should.
    pub(super) async fn modern(client: ClientBuilder) -> (Client, Self) {
        let (endpoint, mut script) = Self::new();
        let greet = async {
            let discover = script.expect("server/discover").await;
            script.reply(&discover, discovery()).await;
        };
        let (client, ()) = tokio::join!(client.connect(endpoint), greet);
        (client.expect("a connection"), script)
    }

    /// The same with a call of `work` that has become a task, to which the client could not subscribe.
    pub(super) async fn with_task(client: ClientBuilder) -> (Client, PendingCall, Self) {
        let (client, mut script) = Self::modern(client).await;
        let call = work(&client).await;
        let request = script.expect("tools/call").await;
        script.reply(&request, created()).await;
        script.refuse_to_listen().await;
        (client, call, script)
    }

    /// The same with the client's subscription to the task, which it makes once it knows of it.
    pub(super) async fn with_subscription(
        client: ClientBuilder,
    ) -> (Client, PendingCall, Value, Self) {
        let (client, mut script) = Self::modern(client).await;
        let call = work(&client).await;
        let request = script.expect("tools/call").await;
        script.reply(&request, created()).await;
        call.task_id().await.expect("a task");
        let listen = script.expect("subscriptions/listen").await;
        (client, call, listen, script)
    }

    /// A client that speaks an older wire, with a server of these capabilities.
    pub(super) async fn legacy(
        client: ClientBuilder,
        wire: Wire,
        capabilities: Value,
    ) -> (Client, Self) {
        let (endpoint, mut script) = Self::new();
        let greet = async {
            let hello = script.expect("initialize").await;
            let version = hello["params"]["protocolVersion"].clone();
            script
                .reply(&hello, initialized(&version, capabilities))
                .await;
            script.expect("notifications/initialized").await;
        };
        let (client, ()) = tokio::join!(client.wire(wire).connect(endpoint), greet);
        (client.expect("a connection"), script)
    }

    /// What the client says next.
    pub(super) async fn next(&mut self) -> Value {
        let mut line = String::new();
        let read = timeout(PATIENCE, self.reader.read_line(&mut line)).await;
        let length = read
            .expect("the client is silent")
            .expect("the client writes text");
        assert!(length > 0, "the client has closed");
        serde_json::from_str(&line).expect("the client writes JSON")
    }

    /// Whether the client has closed and says nothing more.
    pub(super) async fn is_at_end(&mut self) -> bool {
        let mut line = String::new();
        let read = timeout(PATIENCE, self.reader.read_line(&mut line)).await;
        let length = read
            .expect("the client is silent")
            .expect("the client writes text");
        length == 0
    }

    /// What the client says next, which must be this.
    pub(super) async fn expect(&mut self, method: &str) -> Value {
        let message = self.next().await;
        assert_eq!(message["method"], method, "{message}");
        message
    }

    /// Greets a client that asks for no revision but this one, or is content with it.
    pub(super) async fn welcome(&mut self, revision: &str) {
        let hello = self.expect("initialize").await;
        let result = initialized(&json!(revision), json!({}));
        self.reply(&hello, result).await;
        self.expect("notifications/initialized").await;
    }

    /// Answers a look at a task that it has come to its end.
    pub(super) async fn end_task(&mut self, look: &Value) {
        let ended = task("completed", json!({ "result": text("done") }));
        self.reply(look, ended).await;
    }

    /// Passes over the attempt to subscribe to a task.
    pub(super) async fn refuse_to_listen(&mut self) {
        let listen = self.expect("subscriptions/listen").await;
        self.refuse(&listen, -32601, "Method not found").await;
    }

    pub(super) async fn reply(&mut self, request: &Value, result: Value) {
        self.say(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }))
            .await;
    }

    pub(super) async fn refuse(&mut self, request: &Value, code: i64, message: &str) {
        self.refuse_with(request, json!({ "code": code, "message": message }))
            .await;
    }

    pub(super) async fn refuse_with(&mut self, request: &Value, error: Value) {
        self.say(&json!({ "jsonrpc": "2.0", "id": request["id"], "error": error }))
            .await;
    }

    pub(super) async fn notify(&mut self, method: &str, params: Value) {
        self.say(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
            .await;
    }

    pub(super) async fn ask(&mut self, id: &str, method: &str, params: Value) {
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
            .await;
    }

    async fn say(&mut self, message: &Value) {
        self.write(&format!("{message}\n")).await;
    }

    /// Writes what need not be a message.
    pub(super) async fn write(&mut self, text: &str) {
        self.writer
            .write_all(text.as_bytes())
            .await
            .expect("the client reads");
    }
}

/// A call of the tool `work`, begun.
pub(super) async fn work(client: &Client) -> PendingCall {
    let call = client.begin_call_tool("work", Value::Null).await;
    call.expect("a call")
}

pub(super) fn discovery() -> Value {
    json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": { "tools": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } },
        "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "scripted", "version": "1" } },
    })
}

pub(super) fn initialized(version: &Value, capabilities: Value) -> Value {
    let server = json!({ "name": "scripted", "version": "1" });
    let mut answer = json!({ "protocolVersion": version, "serverInfo": server });
    answer["capabilities"] = capabilities;
    answer
}

/// A task of 2026-07-28 in some state, as `tasks/get` has it.
pub(super) fn task(status: &str, more: Value) -> Value {
    let mut task = json!({
        "resultType": "complete", "taskId": "t-1", "status": status, "ttlMs": 60_000, "pollIntervalMs": 300,
        "createdAt": "2026-07-28T00:00:00Z", "lastUpdatedAt": "2026-07-28T00:00:00Z",
    });
    if let (Value::Object(task), Value::Object(more)) = (&mut task, more) {
        task.extend(more);
    }
    task
}

/// The reply that makes a task.
pub(super) fn created() -> Value {
    task("working", json!({ "resultType": "task" }))
}

pub(super) fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

/// The question for a name.
pub(super) fn name_question() -> Value {
    json!({ "mode": "form", "message": "Name?", "requestedSchema": {
        "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"],
    }})
}

/// A client whose user is called Ada.
pub(super) fn ada() -> ClientBuilder {
    Client::builder().on_form(async |_: FormQuestion| Answer::Accepted(name("Ada")))
}

pub(super) fn name(name: &str) -> Map<String, Value> {
    Map::from_iter([("name".to_owned(), json!(name))])
}

/// The code of the JSON-RPC error that a call ended with.
pub(super) fn code<T: std::fmt::Debug>(result: Result<T, ClientError>) -> i64 {
    match result {
        Err(ClientError::Refused { error, .. }) => error.code,
        other => panic!("no JSON-RPC error: {other:?}"),
    }
}
