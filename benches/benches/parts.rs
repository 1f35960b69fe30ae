//! The parts of a server, each by the request that it does most of the work for.
//!
//! No part is public by itself: all are reached through a [`Server`] that is served in this process, over a pipe in
//! memory, on one thread. What `nothing` takes is what the way there and back takes.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mcp_tasks::prelude::*;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};
use tokio::runtime::{self, Runtime};

/// Bytes that the pipe holds.
const PIPE: usize = 1 << 20;

/// Do nothing.
#[mcp_tool]
async fn nothing() {}

/// Read a text.
#[mcp_tool]
async fn read(
    /// The text
    text: String,
) -> usize {
    text.len()
}

/// Write a text.
#[mcp_tool]
async fn write(
    /// How long it is
    length: usize,
) -> String {
    "x".repeat(length)
}

/// A task that ends at once.
#[mcp_tool(task(keep = "1s"))]
async fn job() {}

/// A task that ends at once and is kept.
#[mcp_tool(task)]
async fn kept() {}

/// A client of 2026-07-28 that knows tasks.
struct Client {
    runtime: Runtime,
    connection: BufReader<DuplexStream>,
    answer: String,
}

impl Client {
    fn connect() -> Self {
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let server = Server::new("parts").tools(tools![nothing, read, write, job, kept]);
        let (client, connection) = tokio::io::duplex(PIPE);
        runtime.spawn(async move {
            let (reader, writer) = tokio::io::split(connection);
            server.serve_io(reader, writer).await
        });
        Self {
            runtime,
            connection: BufReader::new(client),
            answer: String::new(),
        }
    }

    fn ask(&mut self, request: &str) -> &str {
        self.answer.clear();
        self.runtime.block_on(async {
            let connection = &mut self.connection;
            connection
                .write_all(request.as_bytes())
                .await
                .expect("room");
            connection.read_line(&mut self.answer).await.expect("text");
        });
        assert!(self.answer.contains(r#""result""#), "{}", self.answer);
        &self.answer
    }
}

fn request(method: &str, params: &str) -> String {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}"#;
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{method}\",\"params\":{{{params}{meta}}}}}\n"
    )
}

fn call(tool: &str, arguments: &str) -> String {
    request(
        "tools/call",
        &format!(r#""name":"{tool}","arguments":{{{arguments}}},"#),
    )
}

fn parts(criterion: &mut Criterion) {
    let mut client = Client::connect();
    let request_of_nothing = call("nothing", "");
    criterion.bench_function("dispatch/nothing", |bencher| {
        bencher.iter(|| client.ask(&request_of_nothing).len());
    });

    let mut group = criterion.benchmark_group("parse");
    for length in [1 << 10, 1 << 16] {
        let read = call("read", &format!(r#""text":"{}""#, "x".repeat(length)));
        group.throughput(Throughput::Bytes(read.len() as u64));
        group.bench_function(format!("{length} bytes"), |bencher| {
            bencher.iter(|| client.ask(&read).len());
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("render");
    for length in [1 << 10, 1 << 16] {
        let write = call("write", &format!(r#""length":{length}"#));
        group.throughput(Throughput::Bytes(length));
        group.bench_function(format!("{length} bytes"), |bencher| {
            bencher.iter(|| client.ask(&write).len());
        });
    }
    group.finish();
    let list = request("tools/list", "");
    criterion.bench_function("render/list of tools", |bencher| {
        bencher.iter(|| client.ask(&list).len());
    });

    let job = call("job", "");
    criterion.bench_function("transition/create and end", |bencher| {
        bencher.iter(|| client.ask(&job).len());
    });
    let call_of_kept = call("kept", "");
    let made = client.ask(&call_of_kept);
    let (_, id) = made.split_once(r#""taskId":""#).expect("a task");
    let (id, _) = id.split_once('"').expect("an id");
    let get = request("tasks/get", &format!(r#""taskId":"{id}","#));
    criterion.bench_function("transition/get", |bencher| {
        bencher.iter(|| client.ask(&get).len());
    });
}

criterion_group!(benches, parts);
criterion_main!(benches);
