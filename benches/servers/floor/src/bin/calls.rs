//! The answers of a server with one tool, from as little as can give them: over standard input and output a loop
//! that reads a line, parses it, spawns a task for it and writes what the task says; over HTTP one handler.
//!
//! What it answers are the bytes that mcp-tasks answers.

use std::borrow::Cow;
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;

use axum::Router;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::post;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::net::unix::pipe;
use tokio::runtime;
use tokio::sync::mpsc;

/// Where the protocol's own facts about the server are in a modern result.
const SERVER: &str = r#"{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"0.0.0"}}"#;
/// What a legacy session starts with.
const HELLO: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{}},"serverInfo":{"name":"bench","version":"0.0.0"}}"#;

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Option<Params<'a>>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Search {
    query: String,
    limit: u32,
    tags: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Response<'a, T> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    result: T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    content: [Text<'a>; 1],
    is_error: bool,
    #[serde(skip_serializing_if = "Option::is_none", rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct Text<'a> {
    r#type: &'static str,
    text: &'a str,
}

/// `stdio 50` or `http ADDRESS`.
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let threads = runtime::Builder::new_multi_thread().enable_all().build()?;
    let thread = runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    match arguments[..] {
        ["stdio", ..] => thread.block_on(stdio())?,
        ["http", address] => threads.block_on(http(address))?,
        _ => return Err("no such server".into()),
    }
    Ok(())
}

async fn stdio() -> io::Result<()> {
    let mut input = BufReader::new(pipe::Receiver::from_file(reopened(0, true)?)?);
    let output = pipe::Sender::from_file(reopened(1, false)?)?;
    let (answers, taken) = mpsc::unbounded_channel();
    tokio::spawn(write(output, taken));
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).await? > 0 {
        let message: Message<'_> = serde_json::from_slice(&line)?;
        if let Some(call) = Call::of(message)? {
            let answers = answers.clone();
            tokio::spawn(async move {
                // The writer ends last.
                let _ = answers.send(call.answer());
            });
        }
        line.clear();
    }
    Ok(())
}

/// Another opening of a pipe that this process has, which does not block.
fn reopened(fd: u32, read: bool) -> io::Result<File> {
    OpenOptions::new()
        .read(read)
        .write(!read)
        .custom_flags(NON_BLOCKING)
        .open(format!("/proc/self/fd/{fd}"))
}

/// `O_NONBLOCK` of Linux.
const NON_BLOCKING: i32 = 0o4000;

/// Writes all that is ready at once.
async fn write(mut output: pipe::Sender, mut answers: mpsc::UnboundedReceiver<Vec<u8>>) {
    let mut ready = Vec::new();
    while let Some(answer) = answers.recv().await {
        ready.extend(answer);
        while let Ok(answer) = answers.try_recv() {
            ready.extend(answer);
        }
        if output.write_all(&ready).await.is_err() {
            return;
        }
        ready.clear();
    }
}

async fn http(address: &str) -> io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    let router = Router::new().route("/mcp", post(handle));
    axum::serve(listener, router).await
}

async fn handle(body: Bytes) -> Result<impl IntoResponse, StatusCode> {
    let call = serde_json::from_slice(&body)
        .map_err(io::Error::other)
        .and_then(Call::of);
    match call {
        Ok(Some(call)) => Ok(([(CONTENT_TYPE, "application/json")], call.answer())),
        Ok(None) => Err(StatusCode::ACCEPTED),
        Err(_) => Err(StatusCode::BAD_REQUEST),
    }
}

/// What is to be answered.
enum Call {
    Hello {
        id: Box<RawValue>,
    },
    Tool {
        id: Box<RawValue>,
        modern: bool,
        search: Search,
    },
}

impl Call {
    /// Nothing for a notification.
    fn of(message: Message<'_>) -> io::Result<Option<Self>> {
        let Some(id) = message.id else {
            return Ok(None);
        };
        let id = id.to_owned();
        if message.method == "initialize" {
            return Ok(Some(Self::Hello { id }));
        }
        let params = message
            .params
            .filter(|params| params.name.as_deref() == Some("search"));
        let (Some(params), "tools/call") = (params, message.method.as_ref()) else {
            return Err(io::Error::other("no such method"));
        };
        let arguments = params.arguments.map_or("{}", RawValue::get);
        Ok(Some(Self::Tool {
            id,
            modern: params.meta.is_some(),
            search: serde_json::from_str(arguments)?,
        }))
    }

    fn answer(self) -> Vec<u8> {
        let mut answer = match self {
            Self::Hello { id } => response(&id, raw(HELLO)),
            Self::Tool { id, modern, search } => {
                let tags = search.tags.unwrap_or_default().join(", ");
                let text = format!("{} of {} ({tags})", search.limit, search.query);
                let result = CallResult {
                    result_type: modern.then_some("complete"),
                    content: [Text {
                        r#type: "text",
                        text: &text,
                    }],
                    is_error: false,
                    meta: modern.then(|| raw(SERVER)),
                };
                response(&id, result)
            }
        };
        answer.push(b'\n');
        answer
    }
}

fn response(id: &RawValue, result: impl Serialize) -> Vec<u8> {
    let response = Response {
        jsonrpc: "2.0",
        id,
        result,
    };
    serde_json::to_vec(&response).expect("strings and numbers are JSON")
}

fn raw(json: &'static str) -> &'static RawValue {
    serde_json::from_str(json).expect("it is JSON")
}
