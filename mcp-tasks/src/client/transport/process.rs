//! A server as a child process.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::process::{Child, Command};
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::lines::Lines;
use super::{Outgoing, Transport};
use crate::client::error::ClientError;
use crate::client::router::Router;
use crate::model::BoxFuture;

const PATIENCE: Patience = Patience {
    with_end_of_input: Duration::from_secs(5),
    with_signal: Duration::from_secs(5),
};
/// How long a process whose output has ended is waited for, to tell how it ended.
const EXIT: Duration = Duration::from_secs(1);

pub(in crate::client) struct Process {
    lines: Lines,
    /// Becomes true when the process is no more.
    ended: watch::Receiver<bool>,
}

/// How long a process that is left may take to end.
#[derive(Clone, Copy, Debug)]
struct Patience {
    /// Once its input is closed, before it is told to end.
    with_end_of_input: Duration,
    /// Once it has been told to end, before it is killed.
    with_signal: Duration,
}

/// The command as a person would type it.
pub(in crate::client) fn label(command: &std::process::Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    format!("`{}`", words.join(" "))
}

/// Starts the command. Its standard error stays where the command has it: the caller's own, unless it says otherwise.
pub(in crate::client) fn spawn(
    mut command: Command,
    label: &str,
    router: Arc<Router>,
) -> Result<Process, ClientError> {
    let started = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    let mut child = started.map_err(|error| ClientError::Connect {
        to: label.to_owned(),
        source: Arc::new(error),
    })?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        unreachable!("both were just set to be pipes")
    };
    let (exit, status) = oneshot::channel();
    let lines = Lines::with_end(output, input, router, async move {
        match timeout(EXIT, status).await {
            Ok(Ok(status)) => format!("its process ended ({status})"),
            _ => "its process closed its output".to_owned(),
        }
    });
    let (gone, ended) = watch::channel(false);
    tokio::spawn(reap(child, lines.shutting(), exit, gone));
    Ok(Process { lines, ended })
}

/// Waits for the process; ends it if its input is closed.
async fn reap(
    mut child: Child,
    mut shutting: watch::Receiver<bool>,
    exit: oneshot::Sender<ExitStatus>,
    gone: watch::Sender<bool>,
) {
    let closed = async { drop(shutting.wait_for(|shut| *shut).await) };
    let status = tokio::select! {
        status = child.wait() => status,
        () = closed => end(&mut child, PATIENCE).await,
    };
    if let Ok(status) = status {
        let _ = exit.send(status);
    }
    gone.send_replace(true);
}

/// Ends a process whose input is closed: by waiting, by SIGTERM, by SIGKILL (2025-11-25 lifecycle, "Shutdown").
async fn end(child: &mut Child, patience: Patience) -> io::Result<ExitStatus> {
    if let Ok(status) = timeout(patience.with_end_of_input, child.wait()).await {
        return status;
    }
    if terminate(child)
        && let Ok(status) = timeout(patience.with_signal, child.wait()).await
    {
        tracing::debug!("the server's process ended by SIGTERM, and not when its input was closed");
        return status;
    }
    tracing::warn!("the server's process did not end when its input was closed, and is killed");
    child.start_kill()?;
    child.wait().await
}

/// Tells a process to end, where the system has a way to; whether it was told.
#[cfg(unix)]
fn terminate(child: &Child) -> bool {
    use rustix::process::{Pid, Signal, kill_process};
    // As long as it has not been waited for, nobody else has its id.
    let id = child.id().and_then(|id| i32::try_from(id).ok());
    let id = id.and_then(Pid::from_raw);
    id.is_some_and(|id| kill_process(id, Signal::TERM).is_ok())
}

#[cfg(not(unix))]
fn terminate(_: &Child) -> bool {
    false
}

impl Transport for Process {
    fn send(&self, message: Outgoing) {
        self.lines.send(message);
    }

    fn close(&self) -> BoxFuture<'static, ()> {
        self.lines.shut();
        let mut ended = self.ended.clone();
        Box::pin(async move {
            let _ = ended.wait_for(|ended| *ended).await;
        })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};

    use super::*;

    const AT_ONCE: Duration = Duration::from_millis(1);
    const LONG: Duration = Duration::from_secs(60);

    /// Runs a program of the shell's until it says that it is ready, and closes its input; and what else it says.
    async fn left(program: &str) -> (Child, BufReader<tokio::process::ChildStdout>) {
        let mut child = Command::new("sh")
            .args(["-c", program])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("a shell");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).await.expect("a line");
        assert_eq!(line, "ready\n");
        drop(child.stdin.take());
        (child, output)
    }

    #[tokio::test]
    async fn a_process_that_ends_with_its_input_is_sent_no_signal() {
        let program = "trap 'echo told' TERM; echo ready; cat; exit 3";
        let (mut child, mut output) = left(program).await;
        let patience = Patience {
            with_end_of_input: LONG,
            with_signal: AT_ONCE,
        };
        let status = end(&mut child, patience).await.expect("an end");
        assert_eq!(status.code(), Some(3));
        let mut said = String::new();
        output.read_to_string(&mut said).await.expect("text");
        assert_eq!(said, "");
    }

    #[tokio::test]
    async fn a_process_that_outlives_its_input_is_told_to_end_and_may_clean_up() {
        let program =
            "trap 'echo cleaned up; exit 7' TERM; echo ready; while :; do sleep 0.1 & wait; done";
        let (mut child, mut output) = left(program).await;
        let patience = Patience {
            with_end_of_input: AT_ONCE,
            with_signal: LONG,
        };
        let status = end(&mut child, patience).await.expect("an end");
        assert_eq!(status.code(), Some(7));
        let mut said = String::new();
        output.read_to_string(&mut said).await.expect("text");
        assert_eq!(said, "cleaned up\n");
    }

    #[tokio::test]
    async fn a_process_that_ignores_both_is_killed() {
        let program = "trap '' TERM; echo ready; while :; do sleep 0.1 & wait; done";
        let (mut child, _output) = left(program).await;
        let patience = Patience {
            with_end_of_input: AT_ONCE,
            with_signal: AT_ONCE,
        };
        let status = end(&mut child, patience).await.expect("an end");
        assert_eq!(status.signal(), Some(9));
    }
}
