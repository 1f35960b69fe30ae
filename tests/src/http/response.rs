//! What the server answers.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, DuplexStream};

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(3600);

/// A response, read as far as the test wants to. Dropped, it closes its connection.
#[derive(Debug)]
pub struct Response<C = DuplexStream> {
    /// The status.
    pub status: u16,
    headers: HashMap<String, String>,
    connection: C,
    /// Read from the connection, not yet decoded.
    raw: Vec<u8>,
    /// Decoded, not yet looked at.
    text: Vec<u8>,
    framing: Framing,
}

#[derive(Debug)]
enum Framing {
    /// This many bytes are still to come.
    Length(usize),
    Chunked,
    Ended,
}

/// One block of an event stream.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Its id, to resume after.
    pub id: Option<String>,
    /// When to come back after the connection broke.
    pub retry: Option<u64>,
    /// What it carries.
    pub data: Option<String>,
    /// It is a comment.
    pub comment: bool,
}

impl<C: AsyncRead + Unpin> Response<C> {
    /// Reads the head of a response.
    pub async fn read(mut connection: C) -> Self {
        let mut raw = Vec::new();
        let end = loop {
            if let Some(end) = find(&raw, b"\r\n\r\n") {
                break end;
            }
            assert!(
                more(&mut connection, &mut raw).await,
                "no response: {raw:?}"
            );
        };
        let head = String::from_utf8(raw.drain(..end + 4).collect()).expect("text");
        let mut lines = head.lines();
        let status = lines
            .next()
            .and_then(|line| line.split(' ').nth(1)?.parse().ok());
        let pair = |line: &str| {
            let (name, value) = line.split_once(": ")?;
            Some((name.to_ascii_lowercase(), value.to_owned()))
        };
        let headers: HashMap<_, _> = lines.filter_map(pair).collect();
        let framing = match headers.get("content-length") {
            Some(length) => Framing::Length(length.parse().expect("a number")),
            None if headers.contains_key("transfer-encoding") => Framing::Chunked,
            None => Framing::Ended,
        };
        Self {
            status: status.unwrap_or_else(|| panic!("no status in {head}")),
            headers,
            connection,
            raw,
            text: Vec::new(),
            framing,
        }
    }

    /// The connection, with whatever has not been read.
    pub fn into_connection(self) -> C {
        self.connection
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// Whether it is an event stream; else it is one JSON message or nothing.
    pub fn is_stream(&self) -> bool {
        self.header("content-type") == Some("text/event-stream")
    }

    /// The whole body.
    pub async fn text(&mut self) -> String {
        while self.fill().await {}
        String::from_utf8(std::mem::take(&mut self.text)).expect("text")
    }

    /// The body, which must be one JSON message.
    pub async fn json(mut self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"));
        let text = self.text().await;
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// All of it but its date, to be compared with another.
    pub async fn whole(mut self) -> String {
        let text = self.text().await;
        let mut lines: Vec<_> = self
            .headers
            .iter()
            .filter(|(name, _)| *name != "date")
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        lines.sort_unstable();
        format!("{}\n{}\n\n{text}", self.status, lines.join("\n"))
    }

    /// The JSON-RPC error code of the body.
    pub async fn code(self) -> Option<i64> {
        self.json().await["error"]["code"].as_i64()
    }

    /// The next block of an event stream; `None` at its end.
    pub async fn event(&mut self) -> Option<Event> {
        assert!(self.is_stream(), "no event stream: {:?}", self.headers);
        loop {
            if let Some(end) = find(&self.text, b"\n\n") {
                let block: Vec<u8> = self.text.drain(..end + 2).collect();
                return Some(Event::parse(&String::from_utf8(block).expect("text")));
            }
            if !self.fill().await {
                return None;
            }
        }
    }

    /// The next message of an event stream; `None` at its end.
    pub async fn message(&mut self) -> Option<Value> {
        Some(self.numbered_message().await?.1)
    }

    /// The next message of an event stream and its event's id; `None` at its end.
    pub async fn numbered_message(&mut self) -> Option<(Option<String>, Value)> {
        let next = async {
            loop {
                let event = self.event().await?;
                if let Some(data) = event.data.filter(|data| !data.is_empty()) {
                    return Some((event.id, serde_json::from_str(&data).expect("JSON")));
                }
            }
        };
        let next = tokio::time::timeout(PATIENCE, next).await;
        next.expect("nothing but comments")
    }

    /// The messages up to the end of the stream.
    pub async fn messages(&mut self) -> Vec<Value> {
        let mut messages = Vec::new();
        while let Some(message) = self.message().await {
            messages.push(message);
        }
        messages
    }

    /// The response itself, whether it comes as JSON or at the end of an event stream.
    pub async fn last(mut self) -> Value {
        if self.is_stream() {
            self.messages().await.pop().expect("a response")
        } else {
            self.json().await
        }
    }

    /// Decodes more of the body; `false` at its end.
    async fn fill(&mut self) -> bool {
        loop {
            match &mut self.framing {
                Framing::Ended => return false,
                Framing::Length(0) => {
                    self.framing = Framing::Ended;
                    return false;
                }
                Framing::Length(left) if !self.raw.is_empty() => {
                    let taken = self.raw.len().min(*left);
                    *left -= taken;
                    self.text.extend(self.raw.drain(..taken));
                    return true;
                }
                Framing::Chunked => {
                    if let Some(chunk) = chunk(&mut self.raw) {
                        if chunk.is_empty() {
                            self.framing = Framing::Ended;
                            return false;
                        }
                        self.text.extend(chunk);
                        return true;
                    }
                }
                Framing::Length(_) => {}
            }
            assert!(
                more(&mut self.connection, &mut self.raw).await,
                "the body broke off"
            );
        }
    }
}

impl Event {
    fn parse(block: &str) -> Self {
        let mut event = Self::default();
        for line in block.lines() {
            match line.split_once(':') {
                Some(("", _)) => event.comment = true,
                Some(("id", value)) => event.id = Some(value.trim().into()),
                Some(("retry", value)) => event.retry = value.trim().parse().ok(),
                Some(("data", value)) => event.data = Some(value.trim().into()),
                _ => assert!(line.is_empty(), "no line of an event: {line}"),
            }
        }
        event
    }
}

/// Reads what is there; `false` at the end of the connection.
async fn more(connection: &mut (impl AsyncRead + Unpin), into: &mut Vec<u8>) -> bool {
    let read = tokio::time::timeout(PATIENCE, connection.read_buf(into)).await;
    read.expect("the server is silent").expect("a connection") > 0
}

/// Takes one whole chunk off the front.
fn chunk(raw: &mut Vec<u8>) -> Option<Vec<u8>> {
    let line = find(raw, b"\r\n")?;
    let size = std::str::from_utf8(&raw[..line]).expect("text");
    let size = usize::from_str_radix(size, 16).expect("a chunk's size");
    let end = line + 2 + size + 2;
    (raw.len() >= end).then(|| raw.drain(..end).skip(line + 2).take(size).collect())
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}
