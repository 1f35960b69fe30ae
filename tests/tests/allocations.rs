//! What calls and tasks cost, held by counts that no load of the machine changes: how often they allocate, and how much
//! they hold.
//!
//! The counts are of the whole process, so all of this is one test. Its bounds are up to half as much again as what was
//! counted when they were set.

use std::alloc::System;

use mcp_tasks::prelude::*;
use mcp_tasks::{Limits, Tools};
use serde_json::json;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use tests::http::{Request, Site};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream};
use tokio::net::{TcpListener, TcpStream};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Calls that are counted.
const CALLS: usize = 200;

const FEW: usize = 1_000;
const MANY: usize = 20_000;

#[tokio::test]
async fn a_call_allocates_little_and_what_else_there_is_costs_it_nothing() {
    let one = per_call(one_tool(), &MODERN).await;
    assert!(one <= 32, "{one} allocations per call on 2026-07-28");
    let fifty = per_call(fifty_tools(), &MODERN).await;
    assert_eq!(fifty, one, "allocations per call of 50 tools, and of 1");

    let one = per_call(one_tool(), &LEGACY).await;
    assert!(one <= 30, "{one} allocations per call on 2025-11-25");
    let fifty = per_call(fifty_tools(), &LEGACY).await;
    assert_eq!(fifty, one, "allocations per call of 50 tools, and of 1");

    let site = Site::open(Server::new("test").tools(one_tool()));
    let http = per_http_call(site.connect()).await;
    assert!(http <= 68, "{http} allocations per call of the service");
    let http = per_http_call(listening(Server::new("test").tools(one_tool())).await).await;
    assert!(http <= 54, "{http} allocations per call of a listener");

    many_tasks().await;
    waiting_tasks().await;
}

/// Search the catalogue.
#[mcp_tool]
async fn search(
    /// What to look for
    query: String,
    /// How many to give
    limit: u32,
    /// Only those with all of these
    tags: Option<Vec<String>>,
) -> String {
    format!("{limit} of {query} {tags:?}")
}

/// Never end.
#[mcp_tool(task)]
async fn wait() {
    std::future::pending::<()>().await;
}

/// Wait for an answer.
#[mcp_tool(task)]
async fn ask(ctx: Context) -> Result<String, ToolError> {
    Ok(ctx.confirm("Go on?").await?.to_string())
}

macro_rules! more_tools {
    ($($name:ident)*) => {
        $(
            /// Do nothing.
            #[mcp_tool]
            async fn $name() {}
        )*

        fn fifty_tools() -> Tools {
            tools![search, $($name),*]
        }
    };
}

more_tools! {
    t01 t02 t03 t04 t05 t06 t07 t08 t09 t10 t11 t12 t13 t14 t15 t16 t17 t18 t19 t20 t21 t22 t23 t24 t25
    t26 t27 t28 t29 t30 t31 t32 t33 t34 t35 t36 t37 t38 t39 t40 t41 t42 t43 t44 t45 t46 t47 t48 t49
}

fn one_tool() -> Tools {
    tools![search]
}

/// What a client says first, and what every request of its has.
struct Wire {
    hello: &'static [&'static str],
    meta: &'static str,
}

const MODERN: Wire = Wire {
    hello: &[],
    meta: r#","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}"#,
};

const LEGACY: Wire = Wire {
    hello: &[
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    ],
    meta: "",
};

/// How often a call allocates, of many that are sent at once.
async fn per_call(tools: Tools, wire: &Wire) -> usize {
    let mut client = Client::connect(Server::new("test").tools(tools));
    for message in wire.hello {
        client.send(&format!("{message}\n")).await;
    }
    client.answers(wire.hello.len().min(1)).await;
    let call = |id| {
        let arguments = r#"{"query":"red shoes","limit":10,"tags":["new"]}"#;
        request(
            id,
            "tools/call",
            &format!(r#""name":"search","arguments":{arguments}"#),
            wire,
        )
    };
    let calls: String = (0..CALLS).map(call).collect();
    // The first round pays for what is kept.
    for _ in 0..2 {
        client.send(&calls).await;
        client.answers(CALLS).await;
    }
    let before = allocations();
    client.send(&calls).await;
    client.answers(CALLS).await;
    (allocations() - before).div_ceil(CALLS)
}

/// A connection to a server that listens.
async fn listening(server: Server) -> TcpStream {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("it is bound");
    tokio::spawn(server.serve_listener(listener, std::future::pending()));
    TcpStream::connect(address).await.expect("a server")
}

async fn per_http_call(mut connection: impl AsyncRead + AsyncWrite + Unpin) -> usize {
    let arguments = json!({"query": "red shoes", "limit": 10, "tags": ["new"]});
    let call = Request::call("search", arguments).into_bytes();
    let mut buffer = vec![0; 4096];
    let mut before = 0;
    for round in 0..2 * CALLS {
        if round == CALLS {
            before = allocations();
        }
        connection.write_all(&call).await.expect("a server");
        let mut length = 0;
        while !buffer[..length].ends_with(b"}}") {
            let read = connection.read(&mut buffer[length..]).await;
            length += read.expect("an answer");
        }
        assert!(buffer.starts_with(b"HTTP/1.1 200"));
    }
    (allocations() - before).div_ceil(CALLS)
}

/// `tasks/get` allocates no more where many tasks live than where few do.
async fn many_tasks() {
    let limits = Limits::default();
    assert!(limits.live_tasks >= MANY);
    let mut client = Client::connect(Server::new("test").tools(tools![wait]).limits(limits));
    let call = request(1, "tools/call", r#""name":"wait","arguments":{}"#, &MODERN);
    let made = client.ask(&call).await;
    let (_, id) = made.split_once(r#""taskId":""#).expect("a task");
    let (id, _) = id.split_once('"').expect("an id");
    let get = request(1, "tasks/get", &format!(r#""taskId":"{id}""#), &MODERN);
    client.make_tasks(FEW - 1).await;
    let few = client.allocations_of(&get).await;
    client.make_tasks(MANY - FEW).await;
    let many = client.allocations_of(&get).await;
    assert!(
        many <= few,
        "allocations of a `tasks/get` among {MANY} tasks, {many}, and among {FEW}, {few}"
    );
}

/// Tasks that run, and tasks that wait for an answer, are kept by the thousand.
async fn waiting_tasks() {
    let server = Server::new("test").tools(tools![wait, ask]);
    let mut client = Client::connect(server);
    for (tool, most) in [("wait", 2_700), ("ask", 3_500)] {
        // The first round pays for what is kept, and leaves tables with room.
        client.make(tool, FEW).await;
        let before = client.held().await;
        client.make(tool, FEW).await;
        let each = (client.held().await - before) / FEW;
        assert!(each <= most, "a task of `{tool}` holds {each} bytes");
    }
}

struct Client {
    connection: DuplexStream,
    buffer: Vec<u8>,
}

impl Client {
    fn connect(server: Server) -> Self {
        let (connection, theirs) = tokio::io::duplex(1 << 20);
        tokio::spawn(async move {
            let (reader, writer) = tokio::io::split(theirs);
            server.serve_io(reader, writer).await
        });
        Self {
            connection,
            buffer: vec![0; 1 << 16],
        }
    }

    async fn send(&mut self, lines: &str) {
        let written = self.connection.write_all(lines.as_bytes()).await;
        written.expect("a server");
    }

    /// Reads so many lines, none of which may be an error. Gives what was read last.
    async fn answers(&mut self, mut lines: usize) -> &[u8] {
        let mut length = 0;
        while lines > 0 {
            length = self.connection.read(&mut self.buffer).await.expect("lines");
            let read = &self.buffer[..length];
            lines -= read.split(|byte| *byte == b'\n').count() - 1;
            let wrong = read.windows(8).any(|bytes| bytes == br#""error":"#);
            assert!(!wrong, "{}", String::from_utf8_lossy(read));
        }
        &self.buffer[..length]
    }

    async fn ask(&mut self, request: &str) -> String {
        self.send(request).await;
        String::from_utf8(self.answers(1).await.to_vec()).expect("JSON")
    }

    async fn make_tasks(&mut self, tasks: usize) {
        self.make("wait", tasks).await;
    }

    async fn make(&mut self, tool: &str, tasks: usize) {
        let params = format!(r#""name":"{tool}","arguments":{{}}"#);
        let make = |id| request(id, "tools/call", &params, &MODERN);
        let batch: String = (0..CALLS).map(make).collect();
        for _ in 0..tasks / CALLS {
            self.send(&batch).await;
            self.answers(CALLS).await;
        }
        for _ in 0..tasks % CALLS {
            self.ask(&make(0)).await;
        }
    }

    /// Bytes that are held once every task has come to where it waits.
    async fn held(&self) -> usize {
        let mut last = 0;
        loop {
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            let stats = ALLOCATOR.stats();
            let held = stats.bytes_allocated - stats.bytes_deallocated;
            if held == last {
                return held;
            }
            last = held;
        }
    }

    /// The least of many samples.
    async fn allocations_of(&mut self, request: &str) -> usize {
        let mut least = usize::MAX;
        for _ in 0..CALLS {
            let before = allocations();
            self.send(request).await;
            self.answers(1).await;
            least = least.min(allocations() - before);
        }
        least
    }
}

fn request(id: usize, method: &str, params: &str, wire: &Wire) -> String {
    let meta = wire.meta;
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{{{params}{meta}}}}}\n"
    )
}

/// How often this process has allocated, or made an allocation larger.
fn allocations() -> usize {
    let stats = ALLOCATOR.stats();
    stats.allocations + stats.reallocations
}
