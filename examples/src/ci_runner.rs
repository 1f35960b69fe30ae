//! A child process in a process group of its own, of which nothing is left once the call is over.
//!
//! A build starts compilers and a test run starts servers, so ending the one process that was spawned is not enough.
//! This server runs the steps of a pipeline and shows
//!
//! - a group for the process and all that it starts;
//! - each line of the log as the status of the call, by `ctx.progress(.., None, line)`: counted lines reach clients without
//!   tasks too, which `ctx.status(line)` does as log messages alone;
//! - a `CancellationToken`: a cancelled step is asked to end, has two seconds, and is killed with its whole group;
//! - `Drop` for every other way out of the function, so that no way out leaves a process.
//!
//! Run it in the folder of a crate: `cargo run -p examples --bin ci_runner`. (On Windows, a job object takes the place of
//! the group; this example is for Unix.)

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::process::Stdio;
use std::sync::Arc;

use mcp_tasks::prelude::*;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// How long a cancelled step may clean up; less than the tool's `cancel_grace`.
const CLEAN_UP: Duration = Duration::from_secs(2);

/// How many of the last lines of a log the result has.
const LINES_KEPT: usize = 50;

/// The steps there are, by name: lines for the shell. The model chooses among them and writes none.
#[derive(Clone, Debug, Default)]
pub struct Pipeline(Arc<BTreeMap<String, String>>);

impl<N: Into<String>, L: Into<String>> FromIterator<(N, L)> for Pipeline {
    fn from_iter<I: IntoIterator<Item = (N, L)>>(steps: I) -> Self {
        let steps = steps.into_iter();
        Self(Arc::new(
            steps
                .map(|(name, line)| (name.into(), line.into()))
                .collect(),
        ))
    }
}

impl Pipeline {
    fn line(&self, step: &str) -> Result<&str, ToolError> {
        let line = self.0.get(step).map(String::as_str);
        Ok(line.ok_or_else(|| {
            let names: Vec<_> = self.0.keys().map(String::as_str).collect();
            format!("there is no step {step:?}, only {}", names.join(", "))
        })?)
    }
}

/// List the steps of the pipeline.
#[mcp_tool(read_only)]
async fn list_steps(State(pipeline): State<Pipeline>) -> String {
    let steps = pipeline.0.iter();
    let lines: Vec<_> = steps
        .map(|(name, line)| format!("{name}: {line}"))
        .collect();
    lines.join("\n")
}

/// Run a step of the pipeline to its end, and give the last lines of its log.
#[mcp_tool(task, timeout = "1h", cancel_grace = "5s", max_running = 2)]
async fn run_step(
    /// The step's name, as `list_steps` gives it
    step: String,
    State(pipeline): State<Pipeline>,
    cancelled: CancellationToken,
    ctx: Context,
) -> Result<String, ToolError> {
    let mut group = Group::spawn(pipeline.line(&step)?)?;
    let log = group.leader.stdout.take();
    let mut lines = BufReader::new(log.ok_or("the process has no output")?).split(b'\n');
    let mut tail = VecDeque::new();
    let mut count = 0_u64;
    loop {
        // A step is over when nobody can write to its log any more: what it left in the background counts.
        let line = tokio::select! {
            line = lines.next_segment() => line?,
            () = cancelled.cancelled() => {
                group.end().await;
                return Err("cancelled".into());
            }
        };
        let Some(line) = line else { break };
        let line = String::from_utf8_lossy(&line).into_owned();
        count += 1;
        ctx.progress(count, None, &line);
        if tail.len() == LINES_KEPT {
            tail.pop_front();
        }
        tail.push_back(line);
    }
    let status = group.leader.wait().await?;
    let log = Vec::from(tail).join("\n");
    if status.success() {
        Ok(format!("{step} passed\n{log}"))
    } else {
        // A step that fails is an error to the model, with the log that says why.
        Err(format!("{step} failed, {status}\n{log}").into())
    }
}

/// A process and whatever it starts. Dropping it kills them all.
struct Group {
    leader: Child,
    /// The leader's own id. The system gives it to nobody else while one process of the group lives.
    id: Pid,
}

impl Group {
    fn spawn(line: &str) -> io::Result<Self> {
        let leader = Command::new("sh")
            .arg("-c")
            .arg(format!("exec 2>&1\n{line}"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let id = leader
            .id()
            .and_then(|id| Pid::from_raw(id.try_into().ok()?));
        let id = id.ok_or_else(|| io::Error::other("the process has no id"))?;
        Ok(Self { leader, id })
    }

    /// Asks all of them to end, and waits a little for the leader.
    async fn end(&mut self) {
        self.signal(Signal::TERM);
        // Whoever is still there afterwards is killed by `drop`.
        let _ = tokio::time::timeout(CLEAN_UP, self.leader.wait()).await;
    }

    fn signal(&self, signal: Signal) {
        // It fails when there is nobody left, which is what is wanted.
        let _ = kill_process_group(self.id, signal);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

/// A server that runs the steps of `pipeline`.
pub fn server(pipeline: Pipeline) -> Server {
    Server::new("ci")
        .state(pipeline)
        .tools(tools![list_steps, run_step])
}
