//! A server as hosts run it: a child process, pipes, and an end of the input at any moment.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// More than any of these conversations takes on a machine however busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A child process that serves `tests::tools`, with half a second of `drain`.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    /// Lines of its output, once they are read.
    lines: Receiver<String>,
    /// Silent until the process is no more: its standard error closes with it.
    gone: Receiver<()>,
    last_id: u64,
}

impl Process {
    /// A process whose output is read as it comes.
    fn start() -> Self {
        let (mut process, output) = Self::unread();
        let (line, lines) = channel();
        thread::spawn(move || {
            let all = BufReader::new(output).lines();
            all.map_while(Result::ok)
                .try_for_each(|each| line.send(each))
        });
        process.lines = lines;
        process
    }

    /// A process whose output nobody has begun to read.
    fn unread() -> (Self, ChildStdout) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stdio_server"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = child.stdout.take().unwrap();
        let mut errors = child.stderr.take().unwrap();
        let (end, gone) = channel();
        thread::spawn(move || {
            let _ = errors.read_to_end(&mut Vec::new());
            drop(end);
        });
        let process = Self {
            input: child.stdin.take(),
            child,
            lines: channel().1,
            gone,
            last_id: 0,
        };
        (process, output)
    }

    fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.last_id += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params });
        self.write(format!("{message}\n").as_bytes());
        self.last_id
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.send(
            "tools/call",
            &json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// A call of 2026-07-28 by a client that can be asked, and can follow tasks if `tasks` says so.
    fn modern_call(&mut self, tool: &str, arguments: &Value, tasks: bool) -> u64 {
        let mut capabilities = json!({ "elicitation": { "form": {} } });
        if tasks {
            capabilities["extensions"] = json!({ "io.modelcontextprotocol/tasks": {} });
        }
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        });
        let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
        self.send("tools/call", &params)
    }

    fn initialize(&mut self) {
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": { "elicitation": {} },
            "clientInfo": { "name": "test", "version": "1" },
        });
        let id = self.send("initialize", &hello);
        assert!(self.response(id)["result"].is_object());
    }

    /// The next line, which can be nothing but JSON.
    fn line(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("a line");
        serde_json::from_str(&line).expect(&line)
    }

    fn response(&mut self, id: u64) -> Value {
        loop {
            let message = self.line();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    /// Makes a 2025-11-25 task; its id.
    fn task(&mut self, tool: &str, arguments: &Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments, "task": {} });
        let id = self.send("tools/call", &params);
        self.response(id)["result"]["task"]["taskId"].take()
    }

    /// Waits until the process is gone, which must be by itself and without an error.
    fn assert_ends(&mut self) {
        if self.gone.recv_timeout(PATIENCE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            self.child.kill().unwrap();
            panic!("the process goes on after its end");
        }
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
    }

    /// Ends the input. What still came, by its id; every line was a message, and no id stood twice.
    fn finish(mut self) -> BTreeMap<u64, Value> {
        drop(self.input.take());
        self.assert_ends();
        let mut responses = BTreeMap::new();
        for line in &self.lines {
            let message: Value = serde_json::from_str(&line).expect(&line);
            if let (Some(id), None) = (message["id"].as_u64(), message.get("method")) {
                let twice = responses.insert(id, message);
                assert!(twice.is_none(), "{twice:?}");
            }
        }
        responses
    }
}

fn is_refused(response: &Value) -> bool {
    response.get("error").is_some() || response["result"]["isError"] == true
}

#[test]
fn calls_that_wait_when_the_input_closes_are_all_answered() {
    let mut process = Process::start();
    process.initialize();
    let soon: Vec<u64> = (0..5)
        .map(|_| process.call("wait", &json!({ "millis": 100 })))
        .collect();
    let late: Vec<u64> = (0..5)
        .map(|_| process.call("wait", &json!({ "millis": 3_600_000 })))
        .collect();
    let responses = process.finish();
    for id in soon {
        assert_eq!(responses[&id]["result"]["content"][0]["text"], "waited");
    }
    for id in late {
        assert!(is_refused(&responses[&id]), "{}", responses[&id]);
    }
}

#[test]
fn whatever_waits_when_the_input_closes_is_answered_once() {
    let mut process = Process::start();
    process.initialize();
    let nap = process.task("nap", &json!({ "millis": 3_600_000 }));
    let asking = process.task("ask", &json!({}));
    let mut ids = vec![
        process.call("ask", &json!({})),
        process.call("hold", &json!({})),
        process.call("hold", &json!({})),
        process.call("wind_down", &json!({})),
        process.modern_call("ask_two", &json!({}), false),
        process.modern_call("ask", &json!({}), true),
        process.modern_call("quick", &json!({ "millis": 3_600_000 }), true),
        process.send("tools/list", &json!({})),
    ];
    for task in [&nap, &nap, &asking] {
        ids.push(process.send("tasks/result", &json!({ "taskId": task })));
    }
    let responses = process.finish();
    for id in ids {
        assert!(
            responses.contains_key(&id),
            "no answer to {id}: {responses:?}"
        );
    }
}

#[test]
fn lookups_in_one_breath_with_the_end_are_answered() {
    const MANY: u64 = 2_000;
    let mut process = Process::start();
    process.initialize();
    let task = process.task("nap", &json!({ "millis": 3_600_000 }));
    let mut lines = Vec::new();
    for id in 10_000..10_000 + MANY {
        let params = json!({ "taskId": task });
        let request =
            json!({ "jsonrpc": "2.0", "id": id, "method": "tasks/get", "params": params });
        writeln!(lines, "{request}").unwrap();
    }
    process.write(&lines);
    let responses = process.finish();
    let answered = responses
        .range(10_000..)
        .filter(|(_, response)| response.get("result").is_some());
    assert_eq!(answered.count() as u64, MANY);
}

#[test]
fn a_thread_that_never_looks_up_does_not_keep_the_process() {
    let mut process = Process::start();
    process.initialize();
    let inline = process.call("blocking_nap", &json!({ "millis": 3_600_000 }));
    process.task("blocking_nap", &json!({ "millis": 3_600_000 }));
    assert!(is_refused(&process.finish()[&inline]));
}

#[test]
fn a_client_that_does_not_read_does_not_keep_the_process() {
    let (mut process, output) = Process::unread();
    let text = "x".repeat(1 << 20);
    for _ in 0..4 {
        process.modern_call("echo", &json!({ "text": text }), false);
    }
    drop(process.input.take());
    process.assert_ends();
    drop(output);
}

#[test]
fn a_client_that_is_gone_ends_the_process() {
    let (mut process, output) = Process::unread();
    drop(output);
    process.send("ping", &json!({}));
    process.assert_ends();
}

#[test]
fn bytes_that_are_no_message_are_answered_and_survived() {
    let mut process = Process::start();
    let junk: [&[u8]; 9] = [
        b"{\n",
        b"\xff\xfe\n",
        b"\0\0\0\n",
        b"nonsense\r\n",
        b"[]\n",
        b"[[]]\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}\n",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":\n",
    ];
    for line in junk {
        process.write(line);
        let refused = process.line();
        assert!(refused["error"]["code"].is_i64(), "{refused}");
        assert!(refused.get("id").is_none(), "{refused}");
    }
    let ping = b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"ping\"}\r\n";
    for byte in ping {
        process.write(&[*byte]);
    }
    assert_eq!(process.response(77)["result"], json!({}));
    assert!(process.finish().is_empty());
}

#[test]
fn an_injected_value_may_use_the_runtime() {
    let mut process = Process::start();
    let id = process.modern_call("pooled", &json!({}), false);
    let response = process.response(id);
    assert_eq!(
        response["result"]["content"][0]["text"], "pooled",
        "{response}"
    );
    process.finish();
}
