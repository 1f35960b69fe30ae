//! A client that is little more than its lines: many rounds share one, and none waits for another.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use mcp_tasks::{Error, Server};
use serde_json::{Value, json};
use tests::session::RELATED_TASK;
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split,
};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// What relates a message to its task in the SEP-1686 draft.
const DRAFT_RELATED: &str = "modelcontextprotocol.io/related-task";

/// Which wire a connection speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// 2026-07-28 with the tasks extension.
    Extension,
    /// 2026-07-28 without it.
    Modern,
    /// 2025-11-25 with core tasks.
    Core,
    /// 2025-06-18 with the tasks of the SEP-1686 draft.
    Draft,
}

/// The two wires whose tasks have ids of the server's.
pub(crate) const BOTH: [Kind; 2] = [Kind::Extension, Kind::Core];

impl Kind {
    /// What each request says of its client.
    fn meta(self) -> &'static str {
        match self {
            Self::Core | Self::Draft => "",
            Self::Modern => concat!(
                r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
                r#""io.modelcontextprotocol/clientInfo":{"name":"races","version":"1"},"#,
                r#""io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}"#
            ),
            Self::Extension => concat!(
                r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
                r#""io.modelcontextprotocol/clientInfo":{"name":"races","version":"1"},"#,
                r#""io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"#,
                r#""extensions":{"io.modelcontextprotocol/tasks":{}}}}"#
            ),
        }
    }
}

/// A result, or an error's code and words.
pub(crate) type Answer = Result<Value, (i64, String)>;

/// A response as it came.
#[derive(Debug)]
pub(crate) struct Response {
    /// Which line of the connection it was.
    pub(crate) place: usize,
    pub(crate) line: String,
    pub(crate) answer: Answer,
}

/// One connection.
pub(crate) struct Wire {
    kind: Kind,
    out: tokio::sync::Mutex<WriteHalf<DuplexStream>>,
    heard: Arc<Heard>,
    last_id: AtomicU64,
    reading: JoinHandle<()>,
    serving: JoinHandle<Result<(), Error>>,
}

/// What has come in.
#[derive(Default)]
struct Heard(Mutex<Inbox>);

#[derive(Default)]
struct Inbox {
    /// Who waits for the response to which request.
    open: HashMap<u64, oneshot::Sender<Response>>,
    /// Requests of the server's by the task they belong to, and who waits for one.
    asked: HashMap<String, Value>,
    askers: HashMap<String, oneshot::Sender<Value>>,
    answered: HashSet<u64>,
    /// Lines so far.
    lines: usize,
    faults: Vec<String>,
}

/// The response to one request, some time.
pub(crate) struct Pending {
    /// The request's id.
    pub(crate) id: u64,
    response: oneshot::Receiver<Response>,
}

impl Pending {
    /// The response.
    pub(crate) async fn response(self) -> Response {
        self.response.await.expect("the connection closed first")
    }

    /// The response, if it has come.
    pub(crate) fn try_response(&mut self) -> Option<Response> {
        self.response.try_recv().ok()
    }
}

impl Wire {
    /// Serves `server` on a connection of its own.
    pub(crate) async fn open(server: &Server, kind: Kind) -> Arc<Self> {
        let (near, far) = duplex(1 << 20);
        let (far_in, far_out) = split(far);
        let server = server.clone();
        let serving = tokio::spawn(async move { server.serve_io(far_in, far_out).await });
        let (near_in, near_out) = split(near);
        let heard = Arc::<Heard>::default();
        let wire = Arc::new(Self {
            kind,
            out: tokio::sync::Mutex::new(near_out),
            reading: tokio::spawn(read(near_in, Arc::clone(&heard))),
            heard,
            last_id: AtomicU64::new(0),
            serving,
        });
        if matches!(kind, Kind::Core | Kind::Draft) {
            let revision = match kind {
                Kind::Core => "2025-11-25",
                _ => "2025-06-18",
            };
            let hello = json!({
                "protocolVersion": revision,
                "capabilities": { "elicitation": {} },
                "clientInfo": { "name": "races", "version": "1" },
            });
            let (hello, line) = wire.request("initialize", &hello);
            wire.write(&[&line]).await;
            hello.response().await.answer.expect("the handshake");
        }
        wire
    }

    /// A request, and its line to be written.
    pub(crate) fn request(&self, method: &str, params: &Value) -> (Pending, String) {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        let (send, response) = oneshot::channel();
        self.heard.lock().open.insert(id, send);
        let params = params.to_string();
        let (meta, params) = (self.kind.meta(), &params[1..]);
        let comma = if meta.is_empty() || params == "}" {
            ""
        } else {
            ","
        };
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{meta}{comma}{params}}}"#
        );
        (Pending { id, response }, line)
    }

    /// Writes these lines in one go.
    pub(crate) async fn write(&self, lines: &[&str]) {
        let mut bytes = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
        for line in lines {
            bytes.push_str(line);
            bytes.push('\n');
        }
        let mut out = self.out.lock().await;
        out.write_all(bytes.as_bytes()).await.expect("it reads");
    }

    /// The server's request that belongs to this task.
    pub(crate) async fn question(&self, task: &str) -> Value {
        let (send, question) = oneshot::channel();
        {
            let mut inbox = self.heard.lock();
            if let Some(question) = inbox.asked.remove(task) {
                return question;
            }
            inbox.askers.insert(task.to_owned(), send);
        }
        question.await.expect("the connection closed first")
    }

    /// No response to this request may come any more.
    pub(crate) fn expect_no_response(&self, pending: &Pending) {
        let mut inbox = self.heard.lock();
        inbox.open.remove(&pending.id);
        inbox.answered.insert(pending.id);
    }

    /// Goes without a word, and waits until the server has noticed.
    pub(crate) async fn die(self: Arc<Self>) {
        let Ok(wire) = Arc::try_unwrap(self) else {
            panic!("the connection is still used");
        };
        wire.reading.abort();
        let _aborted = wire.reading.await;
        drop(wire.out);
        // Nobody reads what it still writes, which it may call an error.
        let _ended = wire.serving.await.expect("no panic");
    }

    /// Ends the server's input, and waits until the server has ended.
    pub(crate) async fn close(self: Arc<Self>) {
        let Ok(mut wire) = Arc::try_unwrap(self) else {
            panic!("the connection is still used");
        };
        wire.out.get_mut().shutdown().await.expect("it closes");
        wire.serving.await.expect("no panic").expect("it serves");
        wire.reading.await.expect("no panic");
        let inbox = wire.heard.lock();
        assert_eq!(inbox.faults, Vec::<String>::new());
        let unanswered: Vec<&u64> = inbox
            .open
            .iter()
            .filter(|(_, waiting)| !waiting.is_closed())
            .map(|(id, _)| id)
            .collect();
        assert!(unanswered.is_empty(), "unanswered: {unanswered:?}");
    }
}

impl Heard {
    fn lock(&self) -> MutexGuard<'_, Inbox> {
        self.0.lock().expect("no panic with the lock")
    }
}

async fn read(reader: ReadHalf<DuplexStream>, heard: Arc<Heard>) {
    let mut lines = BufReader::new(reader).lines();
    while let Some(line) = lines.next_line().await.expect("it is read") {
        heard.lock().take(line);
    }
}

impl Inbox {
    fn take(&mut self, line: String) {
        self.lines += 1;
        let mut message: Value = serde_json::from_str(&line).expect("a message");
        match (message.get("method"), message["id"].as_u64()) {
            (None, Some(id)) => {
                let place = self.lines;
                let answer = match message.get("error") {
                    Some(error) => Err((
                        error["code"].as_i64().expect("a code"),
                        error["message"].to_string(),
                    )),
                    None => Ok(message["result"].take()),
                };
                let response = Response {
                    place,
                    line,
                    answer,
                };
                self.response(id, response);
            }
            (Some(_), Some(_)) => {
                let meta = &message["params"]["_meta"];
                let related = meta.get(RELATED_TASK).or_else(|| meta.get(DRAFT_RELATED));
                let task = related.and_then(|related| related["taskId"].as_str());
                let task = task.expect("a task's question").to_owned();
                match self.askers.remove(&task) {
                    Some(asker) => drop(asker.send(message)),
                    None => drop(self.asked.insert(task, message)),
                }
            }
            (Some(_), None) => {}
            (None, None) => self.faults.push(format!("a response to nothing: {line}")),
        }
    }

    fn response(&mut self, id: u64, response: Response) {
        if !self.answered.insert(id) {
            self.faults.push(format!("a second response: {response:?}"));
        }
        if let Some(waiting) = self.open.remove(&id) {
            // A round that expects no response looks at what came only if it did.
            let _ = waiting.send(response);
        }
    }
}
