//! Lines out, lines in, and who waits for which.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::panic::Location;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::call::Call;
use super::connect::ClientBuilder;
use super::kind::ClientKind;
use super::outcome::ErrorReply;
use crate::server::Error;

/// Who wrote a line.
///
/// [`Client::transcript`] has one for each message; [the guide](crate::guide::testing) says what a test sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The client.
    ToServer,
    /// The server.
    ToClient,
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// A client of one [`ClientKind`], connected to a server.
///
/// [`call`](Self::call) takes a tool call to its end. The rest is for tests of the wire itself: messages sent
/// and received one by one, in the client's own words. Dropping the client is a disconnect.
///
/// See [the guide](crate::guide::testing) for tests of a tool.
pub struct Client {
    pub(super) setup: ClientBuilder,
    pub(super) serving: Option<JoinHandle<Result<(), Error>>>,
    /// The result of `initialize`.
    pub(super) initialized: Option<Value>,
    /// The tools that can run as 2025-11-25 tasks, once listed; until the server says that the list has changed.
    pub(super) task_tools: Option<HashSet<String>>,
    /// The call under way and where the test made it, for what a failure says.
    pub(super) calling: Option<(String, &'static Location<'static>)>,
    reader: BufReader<ReadHalf<Box<dyn Stream>>>,
    writer: WriteHalf<Box<dyn Stream>>,
    /// The part of a line that has come so far, kept across a wait that was given up.
    partial: Vec<u8>,
    /// Messages that came while another was waited for.
    inbox: VecDeque<Value>,
    transcript: Vec<(Direction, Value)>,
    last_id: i64,
}

impl Client {
    pub(super) fn new(
        setup: ClientBuilder,
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        let stream: Box<dyn Stream> = Box::new(stream);
        let (reader, writer) = tokio::io::split(stream);
        Self {
            setup,
            serving: None,
            initialized: None,
            task_tools: None,
            calling: None,
            reader: BufReader::new(reader),
            writer,
            partial: Vec::new(),
            inbox: VecDeque::new(),
            transcript: Vec::new(),
            last_id: 0,
        }
    }

    /// What this client plays.
    pub fn kind(&self) -> ClientKind {
        self.setup.kind
    }

    /// The result of `initialize`; `None` for 2026-07-28, which has no handshake.
    pub fn initialize_result(&self) -> Option<&Value> {
        self.initialized.as_ref()
    }

    /// Calls a tool and takes the call to its end; await what this returns.
    ///
    /// ```no_run
    /// # use mcp_tasks::testing::Client;
    /// # use serde_json::json;
    /// # async fn test(mut client: Client) {
    /// let outcome = client.call("deploy", json!({ "env": "prod" })).decline().await;
    /// assert_eq!(outcome.text(), "not deployed");
    /// # }
    /// ```
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Call<'_> {
        Call::new(self, tool, arguments)
    }

    /// Sends a request and waits for its response.
    ///
    /// # Errors
    /// The JSON-RPC error, if that is the response.
    ///
    /// # Panics
    /// If no response comes.
    pub async fn request(&mut self, method: &str, params: Value) -> Result<Value, ErrorReply> {
        let id = self.start(method, params).await;
        self.response(&id).await
    }

    /// Sends a request and returns its id. A modern client's metadata is added to `params._meta`; keys that are
    /// there already stay as they are.
    ///
    /// # Panics
    /// If `params` is neither an object nor `null`.
    pub async fn start(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let mut message = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method });
        let params = self.with_meta(params);
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(message).await;
        json!(self.last_id)
    }

    /// The response to the request `id`, now or later. Other messages are kept for [`recv`](Self::recv).
    ///
    /// # Errors
    /// The JSON-RPC error, if that is the response.
    ///
    /// # Panics
    /// If no response comes.
    pub async fn response(&mut self, id: &Value) -> Result<Value, ErrorReply> {
        let message = self
            .until(|message| is_response(message) && message["id"] == *id)
            .await;
        match message.get("error") {
            Some(error) => Err(ErrorReply::read(error)),
            None => Ok(message["result"].clone()),
        }
    }

    /// Sends a notification; `null` parameters are left out.
    ///
    /// # Panics
    /// If the server no longer reads.
    pub async fn notify(&mut self, method: &str, params: Value) {
        let mut message = json!({ "jsonrpc": "2.0", "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(message).await;
    }

    /// Answers a request of the server's.
    ///
    /// # Panics
    /// If the server no longer reads.
    pub async fn respond(&mut self, id: &Value, result: Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
            .await;
    }

    /// Sends one message, as it stands.
    ///
    /// # Panics
    /// If the server no longer reads.
    pub async fn send(&mut self, message: Value) {
        let line = message.to_string();
        self.transcript.push((Direction::ToServer, message));
        self.write(line.as_bytes(), b"\n").await;
    }

    /// Sends one line, which need not be a message; only messages show in the transcript.
    ///
    /// # Panics
    /// If the server no longer reads.
    pub async fn send_line(&mut self, line: &[u8]) {
        if let Ok(message) = serde_json::from_slice(line) {
            self.transcript.push((Direction::ToServer, message));
        }
        self.write(line, b"\n").await;
    }

    /// Sends bytes without the newline that ends a line, as a client that dies within one.
    ///
    /// # Panics
    /// If the server no longer reads.
    pub async fn send_unended(&mut self, bytes: &[u8]) {
        if let Ok(message) = serde_json::from_slice(bytes) {
            self.transcript.push((Direction::ToServer, message));
        }
        self.write(bytes, b"").await;
    }

    /// The next message nobody has looked at yet.
    ///
    /// # Panics
    /// If none comes.
    pub async fn recv(&mut self) -> Value {
        self.until(|_| true).await
    }

    /// The next message, or `None` if none comes within this time or the server closes.
    ///
    /// # Panics
    /// If what comes is no message.
    pub async fn try_recv(&mut self, within: Duration) -> Option<Value> {
        if self.inbox.is_empty() {
            timeout(within, self.read()).await.ok()?;
        }
        self.inbox.pop_front()
    }

    /// The first message, among those kept and those to come, that `wanted` accepts; the others are kept.
    ///
    /// # Panics
    /// If none comes.
    pub async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(at) = self.inbox.iter().position(&wanted)
                && let Some(message) = self.inbox.remove(at)
            {
                return message;
            }
            let Ok(open) = timeout(self.setup.patience, self.read()).await else {
                panic!(
                    "{}the server was silent for {:?} of tokio's time; unread: {:?}",
                    self.place(),
                    self.setup.patience,
                    self.inbox
                )
            };
            if !open {
                let why = self.why_closed().await;
                let place = self.place();
                panic!("{place}the server closed{why}; unread: {:?}", self.inbox);
            }
        }
    }

    /// Closes the server's input. What it still writes can be read.
    ///
    /// # Panics
    /// If the stream cannot be closed.
    pub async fn close_input(&mut self) {
        let closed = self.writer.shutdown().await;
        assert!(closed.is_ok(), "closing the server's input: {closed:?}");
    }

    /// Closes the server's input, reads what still comes, and waits until it has ended. What came is kept for
    /// [`recv`](Self::recv) and [`response`](Self::response).
    ///
    /// # Errors
    /// What serving returned.
    ///
    /// # Panics
    /// If the server neither writes nor ends, or panicked.
    pub async fn finish(&mut self) -> Result<(), Error> {
        self.close_input().await;
        while timeout(self.setup.patience, self.read())
            .await
            .expect("the server did not end")
        {}
        match self.serving.take() {
            Some(serving) => serving.await.expect("the server panicked"),
            None => Ok(()),
        }
    }

    /// Every message so far, in the order in which this client wrote and read them.
    pub fn transcript(&self) -> &[(Direction, Value)] {
        &self.transcript
    }

    /// Where the test made the call that is under way. A panic's own place is of no use there: async functions have
    /// no `track_caller`.
    pub(super) fn place(&self) -> String {
        match &self.calling {
            Some((tool, place)) => format!("{place}: calling `{tool}` as {}: ", self.kind()),
            None => String::new(),
        }
    }

    /// A progress token no other call of this client has.
    pub(super) fn fresh_token(&mut self) -> Value {
        self.last_id += 1;
        json!(format!("progress-{}", self.last_id))
    }

    /// Puts messages back that another reader may want, before those that came later.
    pub(super) fn put_back(&mut self, messages: Vec<Value>) {
        for message in messages.into_iter().rev() {
            self.inbox.push_front(message);
        }
    }

    /// What serving returned, where it has ended by itself.
    async fn why_closed(&mut self) -> String {
        let Some(serving) = self.serving.take() else {
            return String::new();
        };
        match timeout(self.setup.patience, serving).await {
            Ok(Ok(Err(error))) => format!(": {error}"),
            Ok(Err(panic)) => format!(": {panic}"),
            Ok(Ok(Ok(()))) | Err(_) => String::new(),
        }
    }

    fn with_meta(&self, params: Value) -> Value {
        if !self.kind().is_modern() {
            return params;
        }
        let mut params = match params {
            Value::Null => Map::new(),
            Value::Object(params) => params,
            other => panic!("parameters are an object or null, not {other}"),
        };
        let given = params.remove("_meta");
        let mut meta = self.setup.modern_meta();
        if let Some(Value::Object(given)) = given {
            meta.extend(given);
        }
        params.insert("_meta".to_owned(), Value::Object(meta));
        Value::Object(params)
    }

    async fn write(&mut self, line: &[u8], end: &[u8]) {
        let written = timeout(self.setup.patience, async {
            self.writer.write_all(line).await?;
            self.writer.write_all(end).await?;
            self.writer.flush().await
        });
        let Ok(written) = written.await else {
            panic!("the server did not read for {:?}", self.setup.patience)
        };
        assert!(written.is_ok(), "the server no longer reads: {written:?}");
    }

    /// Reads one line into the inbox; `false` at the end. A wait that is given up loses nothing.
    async fn read(&mut self) -> bool {
        let read = self.reader.read_until(b'\n', &mut self.partial).await;
        if let Err(error) = read {
            panic!("reading from the server: {error}");
        }
        if self.partial.is_empty() {
            return false;
        }
        let line = std::mem::take(&mut self.partial);
        let message = message_in(&line, self.kind());
        self.transcript.push((Direction::ToClient, message.clone()));
        if message["method"] == "notifications/tools/list_changed" {
            self.task_tools = None;
        }
        match message {
            Value::Array(members) => self.inbox.extend(members),
            message => self.inbox.push_back(message),
        }
        true
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("kind", &self.kind())
            .field("unread", &self.inbox)
            .finish_non_exhaustive()
    }
}

pub(super) fn is_response(message: &Value) -> bool {
    message.get("method").is_none() && message.get("id").is_some()
}

/// The message on a line. Nothing else may stand on stdout: "Only valid MCP messages" (stdio, all revisions).
fn message_in(line: &[u8], kind: ClientKind) -> Value {
    let text = String::from_utf8_lossy(line);
    assert!(
        line.ends_with(b"\n"),
        "the server closed within a line: {text}"
    );
    match serde_json::from_slice(line) {
        Ok(message @ Value::Object(_)) => message,
        Ok(batch @ Value::Array(_)) if kind == ClientKind::V2025_03_26 => batch,
        Ok(_) => panic!("the server wrote a line that is no message: {text}"),
        Err(error) => panic!("the server wrote a line that is no JSON ({error}): {text}"),
    }
}
