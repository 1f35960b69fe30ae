//! A server as a child process: JSON lines in and out, and never a wait without end.

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{Fault, tell};

/// Time to exit once the input is closed.
const EXIT: Duration = Duration::from_secs(10);

/// A running server. Dropped, it is killed.
pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<std::io::Result<String>>,
    deadline: Instant,
    wire: bool,
    last_id: u64,
    requests: VecDeque<Value>,
    responses: HashMap<u64, Value>,
}

impl Server {
    /// Starts the program; nothing is waited for past `deadline`.
    pub(crate) fn start(program: &Path, data: &Path, deadline: Instant) -> Result<Self, Fault> {
        let mut child = Command::new(program)
            .env("DATA_DIR", data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        let (sender, lines) = channel();
        // Ends with the server's output, or with the receiver.
        std::thread::spawn(move || output.lines().try_for_each(|line| sender.send(line)));
        Ok(Self {
            child,
            input,
            lines,
            deadline,
            wire: false,
            last_id: 0,
            requests: VecDeque::new(),
            responses: HashMap::new(),
        })
    }

    /// Whether to show each line as it is.
    pub(crate) fn show_wire(&mut self, show: bool) {
        self.wire = show;
    }

    /// Sends a request and waits for its result.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Result<Value, Fault> {
        let id = self.post(method, params)?;
        self.result(id)
            .map_err(|fault| format!("{method}: {fault}").into())
    }

    /// Sends a request; [`Server::result`] waits for its result.
    pub(crate) fn post(&mut self, method: &str, params: &Value) -> Result<u64, Fault> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        Ok(id)
    }

    /// Waits for the result of the request `id`.
    pub(crate) fn result(&mut self, id: u64) -> Result<Value, Fault> {
        let mut response = loop {
            if let Some(response) = self.responses.remove(&id) {
                break response;
            }
            self.receive()?;
        };
        match response.get("error") {
            Some(error) => Err(format!("error {error}").into()),
            None => Ok(response["result"].take()),
        }
    }

    /// Sends a notification.
    pub(crate) fn notify(&mut self, method: &str) -> Result<(), Fault> {
        self.send(&json!({"jsonrpc": "2.0", "method": method}))
    }

    /// Waits for the server's next request.
    pub(crate) fn next_request(&mut self) -> Result<Value, Fault> {
        loop {
            if let Some(request) = self.requests.pop_front() {
                return Ok(request);
            }
            self.receive()?;
        }
    }

    /// Answers a request of the server.
    pub(crate) fn reply(&mut self, request: &Value, result: &Value) -> Result<(), Fault> {
        self.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}))
    }

    /// Waits as long as the task asks its clients to.
    pub(crate) fn pause(&self, interval: &Value) -> Result<(), Fault> {
        let interval = Duration::from_millis(interval.as_u64().unwrap_or(1000));
        if Instant::now() + interval > self.deadline {
            return Err("the task did not end in time".into());
        }
        std::thread::sleep(interval);
        Ok(())
    }

    /// Closes the input; the server must exit by itself, without a fault.
    pub(crate) fn stop(mut self) -> Result<(), Fault> {
        self.input = None;
        let deadline = Instant::now() + EXIT;
        loop {
            match self.child.try_wait()? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => return Err(format!("the server ended with {status}").into()),
                None if Instant::now() > deadline => {
                    return Err("the server did not exit after its input was closed".into());
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), Fault> {
        let input = self.input.as_mut().ok_or("the input is closed")?;
        if self.wire {
            tell::line("-->", &message.to_string());
        }
        writeln!(input, "{message}")?;
        Ok(input.flush()?)
    }

    /// Takes one line in: a response, a request or a notification.
    fn receive(&mut self) -> Result<(), Fault> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let line = self
            .lines
            .recv_timeout(left)
            .map_err(|_| "no message came in time")??;
        if self.wire {
            tell::line("<--", &line);
        }
        let message: Value = serde_json::from_str(&line)
            .map_err(|error| format!("not a line of JSON: {error}: {line}"))?;
        if message["jsonrpc"] != "2.0" {
            return Err(format!("not JSON-RPC 2.0: {line}").into());
        }
        match (message.get("method"), message.get("id")) {
            (Some(_), Some(_)) => self.requests.push_back(message),
            (Some(_), None) => tell::notification(&message),
            (None, id) => {
                let id = id.and_then(Value::as_u64).filter(|id| *id <= self.last_id);
                let id = id.ok_or_else(|| format!("a response to nothing: {line}"))?;
                self.responses.insert(id, message);
            }
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only for a server that has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
