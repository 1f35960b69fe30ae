//! The server's process, and what the system says of it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// What takes longer never comes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Clock ticks a second, as Linux counts them towards programs.
const TICKS: u64 = 100;

/// A server that has been started.
pub(crate) struct Process {
    pub(crate) address: SocketAddr,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Process {
    pub(crate) fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_http_server"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process");
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("an output"));
        let address = line(&mut output).parse().expect("an address");
        Self {
            address,
            child,
            input,
            output,
        }
    }

    /// Processor time that it has taken.
    pub(crate) fn cpu(&self) -> Duration {
        let stat = self.read("stat");
        // The second field, the name, may hold anything up to its bracket.
        let (_, fields) = stat.rsplit_once(')').expect("a name");
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let ticks = |field: usize| fields[field].parse::<u64>().expect("a number");
        Duration::from_millis((ticks(11) + ticks(12)) * 1_000 / TICKS)
    }

    /// The most memory that it has had.
    pub(crate) fn peak_kilobytes(&self) -> u64 {
        let status = self.read("status");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let number = peak.and_then(|peak| peak.split_whitespace().next());
        number.expect("a peak").parse().expect("a number")
    }

    /// Waits until nothing is left in it but so many results.
    pub(crate) fn holds_only(&mut self, tasks: u32) {
        let clean = format!(
            "Tables {{ live_tasks: 0, kept_tasks: {tasks}, watches: 0, task_runs: 0, parked_calls: 0, runs: 0, connections: 0, \
             requests: 0, questions: 0, counted: 0 }}"
        );
        let since = Instant::now();
        loop {
            let input = self.input.as_mut().expect("it has not ended");
            writeln!(input).expect("it reads");
            let tables = line(&mut self.output);
            if tables == clean {
                return;
            }
            assert!(since.elapsed() < PATIENCE, "{tables}");
        }
    }

    /// Ends it as a host would.
    pub(crate) fn end(mut self) {
        drop(self.input.take());
        let status = self.child.wait().expect("an end");
        assert!(status.success(), "{status}");
    }

    fn read(&self, file: &str) -> String {
        let path = format!("/proc/{}/{file}", self.child.id());
        fs::read_to_string(path).expect("it runs")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Where a test has failed, nobody else ends it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn line(output: &mut BufReader<ChildStdout>) -> String {
    let mut line = String::new();
    output.read_line(&mut line).expect("it runs");
    line.trim_end().to_owned()
}
