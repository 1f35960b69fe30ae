//! A server as a child process.

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

/// How long a process may take to end once its input is closed, before it is killed.
const GRACE: Duration = Duration::from_secs(5);
/// How long a process whose output has ended is waited for, to tell how it ended.
const EXIT: Duration = Duration::from_secs(1);

pub(in crate::client) struct Process {
    lines: Lines,
    /// Becomes true when the process is no more.
    ended: watch::Receiver<bool>,
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

/// Waits for the process; kills it if its input is closed and it does not end by itself.
async fn reap(
    mut child: Child,
    mut shutting: watch::Receiver<bool>,
    exit: oneshot::Sender<ExitStatus>,
    gone: watch::Sender<bool>,
) {
    let closed = async { drop(shutting.wait_for(|shut| *shut).await) };
    let status = tokio::select! {
        status = child.wait() => status,
        () = closed => {
            if let Ok(status) = timeout(GRACE, child.wait()).await {
                status
            } else {
                tracing::warn!("the server's process did not end when its input was closed, and is killed");
                let _ = child.start_kill();
                child.wait().await
            }
        }
    };
    if let Ok(status) = status {
        let _ = exit.send(status);
    }
    gone.send_replace(true);
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
