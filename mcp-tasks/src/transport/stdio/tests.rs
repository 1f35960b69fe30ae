use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{Notify, oneshot};

use super::pipes::Pipes;
use super::turns::{Reader, Turns};
use crate::server::at_once::AtOnce;
use crate::server::{Limits, Server};
use crate::tool::runtime::RuntimeTool;
use crate::transport::connection::Connection;

/// Until somebody watches over `reader`, or has taken its turn already: on a busy machine nothing may be too long.
fn watched(turns: &Turns, reader: Reader) {
    while turns.is_of(reader) && !turns.is_watched() {
        turns.at_once(&mut || {});
        thread::yield_now();
    }
}

#[test]
fn nothing_is_done_at_once_while_nobody_watches() {
    let turns = Turns::new();
    assert!(!turns.at_once(&mut || panic!("nobody watches")));
    assert!(turns.is_of(Reader::First));
}

#[test]
fn who_watches_takes_the_turn_once_work_takes_too_long() {
    let turns = Turns::new();
    thread::scope(|scope| {
        let second = scope.spawn(|| turns.wait_for(Reader::Second, || {}));
        let until_taken = || {
            while turns.is_of(Reader::First) {
                thread::yield_now();
            }
        };
        while turns.is_of(Reader::First) {
            watched(&turns, Reader::First);
            turns.work(until_taken);
        }
        assert!(second.join().expect("it does not panic"));
        // The other one reads, and nobody watches over it before this thread does.
        assert!(!turns.work(|| panic!("nobody watches")));
        let first = scope.spawn(|| turns.wait_for(Reader::First, || {}));
        while turns.is_of(Reader::Second) {
            watched(&turns, Reader::Second);
            turns.work(|| {
                while turns.is_of(Reader::Second) {
                    thread::yield_now();
                }
            });
        }
        assert!(first.join().expect("it does not panic"));
    });
}

#[test]
fn who_watches_is_told_of_the_end() {
    let turns = Turns::new();
    thread::scope(|scope| {
        let second = scope.spawn(|| turns.wait_for(Reader::Second, || {}));
        turns.end();
        assert!(!second.join().expect("it does not panic"));
    });
}

/// A server behind pipes of this process, and its client.
struct Served {
    connection: Connection,
    pipes: Arc<Pipes<PipeReader, PipeWriter>>,
    ended: oneshot::Receiver<io::Result<()>>,
    requests: PipeWriter,
    answers: BufReader<PipeReader>,
}

impl Served {
    fn open(tools: impl IntoIterator<Item = RuntimeTool>) -> Self {
        Self::open_as(Server::new("test"), tools)
    }

    fn open_as(server: Server, tools: impl IntoIterator<Item = RuntimeTool>) -> Self {
        let server = tools.into_iter().fold(server, Server::add_tool);
        let connection = Connection::open(server.core().expect("a server that can start"));
        let (reader, requests) = io::pipe().expect("a pipe");
        let (answers, writer) = io::pipe().expect("a pipe");
        let pipes = Pipes::new(&connection, reader, writer);
        let ended = pipes.read_in_threads().expect("threads");
        let writing = Arc::clone(&pipes);
        thread::spawn(move || writing.write());
        Self {
            connection,
            pipes,
            ended,
            requests,
            answers: BufReader::new(answers),
        }
    }

    fn send(&mut self, id: usize, tool: &str, arguments: &Value) {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        writeln!(self.requests, "{call}").expect("the server reads");
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.answers
            .read_line(&mut line)
            .expect("the server writes");
        serde_json::from_str(&line).expect("it is JSON")
    }

    /// The next answer's id and text.
    fn answer(&mut self) -> (Value, String) {
        let mut answer = self.next();
        let text = answer["result"]["content"][0]["text"].as_str();
        let text = text
            .unwrap_or_else(|| panic!("no result: {answer}"))
            .to_owned();
        (answer["id"].take(), text)
    }

    fn call(&mut self, tool: &str) -> String {
        self.send(0, tool, &json!({}));
        self.answer().1
    }

    async fn end(self) {
        drop(self.requests);
        let ended = self.ended.await.expect("no thread panics");
        ended.expect("a pipe can be read");
        self.connection.finish().await;
        drop(self.pipes);
    }
}

fn thread_name() -> String {
    thread::current().name().unwrap_or_default().to_owned()
}

/// The threads that take messages in.
const INTAKE: &str = "mcp-stdin";

/// Lets one through each time that it is opened.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn open(&self) {
        *self.open.lock().expect("nobody panics") = true;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let open = self.open.lock().expect("nobody panics");
        let open = self.opened.wait_while(open, |open| !*open);
        *open.expect("nobody panics") = false;
    }
}

/// Says on which thread it runs, after it was released if it has to wait for that; and what releases it.
fn waits_and_release() -> [RuntimeTool; 2] {
    let gate = Arc::new(Gate::default());
    let entry = Arc::clone(&gate);
    let waits = RuntimeTool::new("waits", "Wait.", move |_, arguments: Value| {
        if arguments["wait"] == true {
            entry.pass();
            // It was slow even if it was released before it came here.
            thread::sleep(Duration::from_millis(1));
        }
        async { thread_name() }
    });
    let release = RuntimeTool::new("release", "Release who waits.", move |_, _| {
        gate.open();
        async { thread_name() }
    });
    [waits, release]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_known_to_be_quick_that_blocks_all_the_same_holds_up_no_message() {
    let mut served = Served::open(waits_and_release());
    loop {
        while !served.call("waits").starts_with(INTAKE) {}
        served.send(1, "waits", &json!({"wait": true}));
        served.send(2, "release", &json!({}));
        let (first, second) = (served.answer(), served.answer());
        let (waited, released) = if first.0 == 1 {
            (first, second)
        } else {
            (second, first)
        };
        assert_eq!((waited.0, released.0), (json!(1), json!(2)));
        // It may have begun on the runtime, if nobody watched just then.
        if waited.1.starts_with(INTAKE) {
            break;
        }
    }
    // Its own slowness has been noticed.
    assert!(!served.call("waits").starts_with(INTAKE));
    served.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_reads_nothing_for_a_while_is_read_all_the_same() {
    // More than a pipe holds.
    const CALLS: usize = 2_000;
    let limits = Limits {
        // They may all be read before the runtime gets to one of them.
        in_flight: CALLS,
        ..Limits::default()
    };
    let roomy = Server::new("test").limits(limits);
    let mut served = Served::open_as(roomy, waits_and_release());
    while !served.call("waits").starts_with(INTAKE) {}
    for id in 0..CALLS {
        served.send(id, "release", &json!({}));
    }
    let mut ids: Vec<_> = (0..CALLS).map(|_| served.answer().0.as_u64()).collect();
    ids.sort_unstable();
    assert!(ids.into_iter().eq((0..CALLS as u64).map(Some)));
    served.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_does_not_wait_for_a_message_that_is_held_up() {
    let (answer, taken_in, go_on) = <(Arc<Notify>, Arc<Gate>, Arc<Gate>)>::default();
    let (may_answer, begun, may_go_on) = (answer.clone(), taken_in.clone(), go_on.clone());
    let later = RuntimeTool::new("later", "Wait.", move |_, _| {
        let answer = Arc::clone(&answer);
        async move { answer.notified().await }
    });
    let held_up = RuntimeTool::new("held_up", "Do nothing.", |_, _| async {});
    // This runs where messages are taken in.
    let holds_up = Server::new("test").visible(move |_, tool| {
        if tool == "held_up" {
            taken_in.open();
            go_on.pass();
        }
        true
    });
    let tools = waits_and_release().into_iter().chain([later, held_up]);
    let mut served = Served::open_as(holds_up, tools);
    // Now and then nobody watches, and no answer is kept for the one who reads.
    for _ in 0..20 {
        while !served.call("waits").starts_with(INTAKE) {}
        served.send(1, "later", &json!({}));
        served.send(2, "held_up", &json!({}));
        begun.pass();
        may_answer.notify_one();
        assert_eq!(served.next()["id"], 1);
        may_go_on.open();
        assert_eq!(served.next()["id"], 2);
    }
    served.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_waits_goes_on_on_the_runtime() {
    let waits = RuntimeTool::new("waits", "Wait.", |_, _| async {
        let before = thread_name();
        tokio::spawn(async {}).await.expect("it does not panic");
        format!("{before} {}", thread_name())
    });
    let mut served = Served::open([waits]);
    // Now and then there is nothing to wait for any more.
    let moved = |text: String| text.starts_with(INTAKE) && text.ends_with("tokio-rt-worker");
    while !moved(served.call("waits")) {}
    served.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_panics_where_messages_are_taken_in_begins_on_the_runtime_from_then_on() {
    let needs_a_task = RuntimeTool::new("needs_a_task", "Need a task.", |_, _| async {
        tokio::task::id();
        thread_name()
    });
    let tools = waits_and_release().into_iter().chain([needs_a_task]);
    let mut served = Served::open(tools);
    while served.call("needs_a_task") == "tokio-rt-worker" {}
    for _ in 0..50 {
        // Somebody watches.
        while !served.call("waits").starts_with(INTAKE) {}
        assert_eq!(served.call("needs_a_task"), "tokio-rt-worker");
    }
    served.end().await;
}
