//! A server and a client, and everything that the client sends.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use mcp_tasks::client::{Client, Endpoint, HttpEndpoint, Wire};
use mcp_tasks::testing::{Tables, tables};
use mcp_tasks::{Server, tools};
use serde_json::Value;
use tests::tools::{Probe, ask, echo, nap, noop};
use tokio::io::{AsyncWrite, DuplexStream, WriteHalf, duplex, split};
use tokio::time::{Duration, sleep};

use crate::links::{Kind, Link};

/// Longer than anything takes that nobody waits for, in paused time.
pub(crate) const QUIET: Duration = Duration::from_millis(20);

/// What a client has sent, a message each.
#[derive(Clone, Default)]
pub(crate) struct Sent(Arc<Mutex<Vec<Value>>>);

impl Sent {
    pub(crate) fn take(&self) -> Vec<Value> {
        std::mem::take(&mut *self.0.lock().expect("no panic"))
    }

    fn add(&self, message: &[u8]) {
        if let Ok(message) = serde_json::from_slice(message) {
            self.0.lock().expect("no panic").push(message);
        }
    }
}

pub(crate) struct Tapped {
    pub(crate) link: Link,
    pub(crate) kind: Kind,
    pub(crate) client: Client,
    pub(crate) sent: Sent,
    server: Server,
    /// What the server holds of a client that does nothing.
    at_rest: Tables,
}

impl Tapped {
    pub(crate) async fn open(link: Link, kind: Kind) -> Self {
        let server = server();
        let sent = Sent::default();
        let client = kind.client(true).connect(endpoint(link, &server, &sent));
        let client = client.await.expect("a connection");
        client.call_tool("noop", Value::Null).await.expect("a call");
        sleep(QUIET).await;
        sent.take();
        Self {
            link,
            kind,
            client,
            sent,
            at_rest: tables(&server),
            server,
        }
    }

    /// Waits until nothing is under way, which must leave nothing but results that are kept.
    pub(crate) async fn rest(&self, here: &str) {
        sleep(QUIET).await;
        let mut left = tables(&self.server);
        left.kept_tasks = self.at_rest.kept_tasks;
        // A session keeps the bytes of a response that its client did not take, in case it comes back for them.
        if self.link == Link::Http && self.kind.wire != Wire::V2026_07_28 {
            left.counted = self.at_rest.counted;
        }
        assert_eq!(left, self.at_rest, "{here}");
    }
}

/// A server of few tools, for it is made often.
pub(crate) fn server() -> Server {
    let tools = tools![ask, echo, nap, noop];
    Server::new("tapped").tools(tools).state(Probe::default())
}

/// The way of `link` to the server, with a tap at the client's end.
pub(crate) fn endpoint(link: Link, server: &Server, sent: &Sent) -> Endpoint {
    match link {
        Link::InProcess => lines(server, sent),
        Link::Http => http(server, sent),
        Link::Stdio => unreachable!("lines are lines, and another process's tables cannot be seen"),
    }
}

fn lines(server: &Server, sent: &Sent) -> Endpoint {
    let (near, far) = duplex(64 * 1024);
    let (reader, writer) = split(far);
    let server = server.clone();
    tokio::spawn(async move { server.serve_io(reader, writer).await });
    let (reader, writer) = split(near);
    let tap = Tap {
        writer,
        sent: sent.clone(),
        line: Vec::new(),
    };
    Endpoint::io(reader, tap)
}

fn http(server: &Server, sent: &Sent) -> Endpoint {
    let router = server.clone().into_router().expect("a server");
    let sent = sent.clone();
    let tap = from_fn(move |request: Request, next: Next| {
        let sent = sent.clone();
        async move {
            let (head, body) = request.into_parts();
            let body = to_bytes(body, usize::MAX).await.expect("a body");
            sent.add(&body);
            next.run(Request::from_parts(head, Body::from(body))).await
        }
    });
    HttpEndpoint::new("http://127.0.0.1/mcp")
        .service(router.layer(tap))
        .into()
}

struct Tap {
    writer: WriteHalf<DuplexStream>,
    sent: Sent,
    line: Vec<u8>,
}

impl AsyncWrite for Tap {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = std::task::ready!(Pin::new(&mut self.writer).poll_write(cx, bytes))?;
        for byte in &bytes[..written] {
            if *byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                self.sent.add(&line);
            } else {
                self.line.push(*byte);
            }
        }
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.writer).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.writer).poll_shutdown(cx)
    }
}
