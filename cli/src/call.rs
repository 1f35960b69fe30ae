//! A call, followed until its end or until the user has had enough.

use std::sync::Arc;

use mcp_tasks::client::{
    BeginCall, CallResult, Client, ClientError, PendingCall, Reference, RemoteTool, Wire,
};
use serde_json::json;

use crate::arguments;
use crate::clean;
use crate::exit::{Code, Failure};
use crate::interrupt::{Stop, Why};
use crate::options::{BEARER, ServerOptions};
use crate::screen::Screen;

/// What every call needs beside the server.
pub(crate) struct Following<'a> {
    pub(crate) stop: &'a mut Stop,
    pub(crate) screen: &'a Arc<Screen>,
    pub(crate) server: &'a ServerOptions,
}

/// The tool of this name.
pub(crate) async fn find(client: &Client, name: &str) -> Result<RemoteTool, Failure> {
    let mut tools = client.list_tools().await?;
    if let Some(at) = tools.iter().position(|tool| tool.name() == name) {
        return Ok(tools.swap_remove(at));
    }
    let names: Vec<_> = tools.iter().map(RemoteTool::name).collect();
    let server = client.server();
    let hint = match (arguments::nearest(name, &names), &names[..]) {
        (Some(near), _) => format!("is `{}` meant?", clean::line(near)),
        (None, []) => "it has none".to_owned(),
        (None, names) => format!("it has {}", arguments::listed(names)),
    };
    let server = clean::line(server.label());
    Err(Failure::usage(format!(
        "{server} has no tool `{name}`; {hint}"
    )))
}

impl Following<'_> {
    /// Follows the call to its end.
    pub(crate) async fn follow(
        &mut self,
        call: BeginCall,
        what: &str,
    ) -> Result<CallResult, Failure> {
        let (statuses, progress) = (Arc::clone(self.screen), Arc::clone(self.screen));
        let mut untold = self.is_for_others().then(|| what.to_owned());
        let call = call
            .on_status(move |task| {
                if untold.take().is_some_and(|known| known != task.id.as_str()) {
                    statuses.say(&format!("the call is the task {}", task.id));
                }
                statuses.status(&task);
                std::future::ready(())
            })
            .on_progress(move |news| progress.progress(&news));
        self.screen.begin(what);
        let call = self.stop.or(call.into_future()).await?;
        let result = self.until_end(call).await;
        self.screen.end();
        result
    }

    /// Over standard input and output, nobody else can look at the task; in the draft, no other session.
    fn is_for_others(&self) -> bool {
        self.server.place.url.is_some() && self.server.wire != Some(Wire::Draft)
    }

    async fn until_end(&mut self, call: PendingCall) -> Result<CallResult, Failure> {
        let why = tokio::select! {
            result = call.result() => Err(result),
            why = self.stop.wished() => Ok(why),
        };
        let why = match why {
            Ok(why) => why,
            Err(Ok(result)) => return Ok(result),
            Err(Err(error)) => return Err(self.lost(&call, error).await),
        };
        self.screen.note(&self.farewell(why));
        let ended = tokio::select! {
            result = cancelled(&call, self.screen) => Some(result),
            () = self.stop.insisted(why) => None,
        };
        match ended {
            Some(Ok(result)) => Ok(result),
            Some(Err(ClientError::Cancelled { .. })) if why == Why::Timeout => Err(
                Failure::timed_out("the time of --timeout is over, and the call is cancelled"),
            ),
            Some(Err(error)) => Err(error.into()),
            None => Err(self.leave(call, why)),
        }
    }

    fn farewell(&self, why: Why) -> String {
        let cause = match why {
            Why::Interrupt => "cancelling; another",
            Why::Timeout => "the time of --timeout is over: cancelling;",
        };
        let then = match self.server.place.url {
            Some(_) => "leaves the call to itself",
            None => "ends the server",
        };
        format!("{cause} Ctrl-C {then}")
    }

    /// Waits no longer for what was cancelled.
    fn leave(&self, call: PendingCall, why: Why) -> Failure {
        let may_come_back = self.is_for_others();
        match call.detach().filter(|_| may_come_back) {
            Some(reference) => {
                self.show_way_back(&reference);
                match why {
                    Why::Interrupt => Failure::cancelled("the task is left to itself"),
                    Why::Timeout => {
                        Failure::timed_out("the task has not ended, and is left to itself")
                    }
                }
            }
            None => why.failure(),
        }
    }

    /// A task outlives a connection: whoever lost that may come back.
    async fn lost(&self, call: &PendingCall, error: ClientError) -> Failure {
        let failure = Failure::from(error);
        if failure.code == Code::Connection
            && self.is_for_others()
            && let Some(reference) = call.reference().await
        {
            self.show_way_back(&reference);
        }
        failure
    }

    pub(crate) fn show_way_back(&self, reference: &Reference) {
        let command = way_back(self.server, reference);
        let event = json!({ "event": "left", "task_id": reference.task_id, "command": command });
        self.screen
            .tell(&event, &format!("to come back:\n  {command}"));
    }
}

/// Cancels the call, and waits for its end all the same: it may still complete.
async fn cancelled(call: &PendingCall, screen: &Screen) -> Result<CallResult, ClientError> {
    let tell = async {
        if let Err(error) = call.cancel().await {
            screen.note(&format!("{error}; waiting for its end"));
        }
    };
    let (result, ()) = tokio::join!(call.result(), tell);
    result
}

/// The command that follows the task again. Secrets are left out: `…` stands for what is to be filled in.
fn way_back(server: &ServerOptions, reference: &Reference) -> String {
    let wire = reference.wire.to_string();
    let mut words = vec!["mcp-tasks", "task", "wait", &reference.task_id];
    let url = server.place.url.as_deref().unwrap_or_default();
    words.extend(["--url", url, "--wire", &wire]);
    let headers: Vec<_> = server
        .header
        .iter()
        .map(|(name, _)| format!("{name}: …"))
        .collect();
    for header in &headers {
        words.extend(["--header", header]);
    }
    let from_environment = std::env::var(BEARER).ok();
    if server.token().is_some() && server.bearer != from_environment {
        words.extend(["--bearer", "…"]);
    }
    shell_words::join(words)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use mcp_tasks::client::Wire;

    use super::*;
    use crate::options::{Command, Options};

    fn server(words: &[&str]) -> ServerOptions {
        let words = [&["mcp-tasks", "tools"], words].concat();
        match Options::try_parse_from(words).expect("right").command {
            Command::Tools { server, .. } => server,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_way_back_can_be_pasted_into_a_shell() {
        let server = server(&["--url", "http://h/mcp?a=1&b"]);
        let reference = Reference::new("it's $1", Wire::V2025_11_25);
        assert_eq!(
            way_back(&server, &reference),
            r"mcp-tasks task wait 'it'\''s $1' --url 'http://h/mcp?a=1&b' --wire 2025-11-25"
        );
    }

    #[test]
    fn the_way_back_shows_no_secrets() {
        let server = server(&[
            "--url",
            "http://h",
            "--bearer",
            "s3cret",
            "--header",
            "x-key: s3cret",
        ]);
        let shown = way_back(&server, &Reference::new("t", Wire::Draft));
        assert!(!shown.contains("s3cret"), "{shown}");
        assert!(shown.contains("--header 'x-key: …' --bearer …"), "{shown}");
    }
}
