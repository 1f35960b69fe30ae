//! `ci_runner` keeps its word: whatever way a step ends, no process of it lives on.

use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;
use std::process::Command;

use examples::ci_runner::server;
use mcp_tasks::Server;
use mcp_tasks::testing::{Client, ClientKind, every_client};
use serde_json::json;
use tokio::sync::oneshot;

use super::running::Running;

/// Open in every process of a step. Its reading end comes to an end when the last of them is gone.
struct Lifeline {
    path: PathBuf,
    gone: oneshot::Receiver<()>,
}

impl Lifeline {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_file(&path);
        let made = Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success(), "mkfifo: {made}");
        let (tell, gone) = oneshot::channel();
        let fifo = path.clone();
        std::thread::spawn(move || {
            // Opening waits for the first writer.
            File::open(fifo)
                .unwrap()
                .read_to_end(&mut Vec::new())
                .unwrap();
            let _ = tell.send(());
        });
        Self { path, gone }
    }

    /// A server whose step `work` holds the line and then does this.
    fn server(&self, line: &str) -> Server {
        let held = format!("exec 3>'{}'\n{line}", self.path.display());
        server([("work", held)].into_iter().collect())
    }

    async fn assert_gone(self) {
        let patience = std::time::Duration::from_secs(60);
        let gone = tokio::time::timeout(patience, self.gone).await;
        gone.expect("a process lives on").unwrap();
    }
}

#[tokio::test]
async fn a_cancelled_step_is_gone_with_all_that_it_started() {
    for kind in every_client() {
        let lifeline = Lifeline::new("cancelled");
        let server = lifeline.server("sleep 1000 & (sleep 1000 & sleep 1000) & echo started\nwait");
        let mut client = Client::connect(&server, kind).await;
        let call = Running::start(&mut client, "run_step", json!({ "step": "work" })).await;
        call.told(&mut client, "started").await;
        call.cancel(client).await;
        lifeline.assert_gone().await;
    }
}

#[tokio::test]
async fn a_step_that_will_not_end_is_killed() {
    let lifeline = Lifeline::new("stubborn");
    let server = lifeline.server("trap '' TERM\nsleep 1000 & echo started\nwait");
    let mut client = Client::connect(&server, ClientKind::TasksExtension).await;
    let call = Running::start(&mut client, "run_step", json!({ "step": "work" })).await;
    call.told(&mut client, "started").await;
    call.cancel(client).await;
    lifeline.assert_gone().await;
}

#[tokio::test]
async fn what_a_step_leaves_behind_ends_with_it() {
    for kind in every_client() {
        let lifeline = Lifeline::new("left_behind");
        let server = lifeline.server("sleep 1000 >/dev/null 2>&1 & echo built");
        let mut client = Client::connect(&server, kind).await;
        let outcome = client.call("run_step", json!({ "step": "work" })).await;
        assert_eq!(outcome.text(), "work passed\nbuilt", "{kind}");
        lifeline.assert_gone().await;
    }
}

#[tokio::test]
async fn a_step_that_fails_is_an_error_with_its_log() {
    let server = server(
        [("test", "echo one failed >&2; exit 3")]
            .into_iter()
            .collect(),
    );
    for kind in every_client() {
        let mut client = Client::connect(&server, kind).await;
        let outcome = client.call("run_step", json!({ "step": "test" })).await;
        assert!(outcome.is_error(), "{kind}");
        let text = "test failed, exit status: 3\none failed";
        assert_eq!(outcome.text(), text, "{kind}");
    }
}

#[tokio::test]
async fn a_log_need_not_be_text() {
    let server = server([("test", r"printf 'caf\351\n'")].into_iter().collect());
    let mut client = Client::connect(&server, ClientKind::TasksExtension).await;
    let outcome = client.call("run_step", json!({ "step": "test" })).await;
    assert_eq!(outcome.text(), "test passed\ncaf\u{fffd}");
}

#[tokio::test]
async fn steps_are_chosen_by_name() {
    let server = server([("build", "echo built")].into_iter().collect());
    for kind in every_client() {
        let mut client = Client::connect(&server, kind).await;
        let steps = client.call("list_steps", json!({})).await;
        assert_eq!(steps.text(), "build: echo built", "{kind}");
        let outcome = client.call("run_step", json!({ "step": "rm -rf /" })).await;
        assert!(outcome.is_error(), "{kind}");
        let text = "there is no step \"rm -rf /\", only build";
        assert_eq!(outcome.text(), text, "{kind}");
    }
}
