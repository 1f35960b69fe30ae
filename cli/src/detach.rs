//! A call that is left running on purpose: `--detach`.

use mcp_tasks::client::{BeginCall, CallResult, Client, RemoteTool, Task, Wire};

use crate::call::Following;
use crate::exit::Failure;
use crate::options::ServerOptions;
use crate::{render, wire};

/// Nothing if a task outlives this program, and others may follow it.
pub(crate) fn must_have_a_way_back(server: &ServerOptions) -> Result<(), Failure> {
    if server.place.url.is_none() {
        return Err(Failure::usage(
            "--detach: a server that a command starts ends with mcp-tasks, and its tasks with it; let the server run by \
             itself, and say where it is with --url",
        ));
    }
    if server.wire == Some(Wire::Draft) {
        return Err(Failure::usage(
            "--detach: on the wire sep-1686 a task belongs to its session, which ends with mcp-tasks",
        ));
    }
    Ok(())
}

/// Nothing if a call of the tool may become a task, as far as can be known before it is made.
pub(crate) fn must_make_tasks(client: &Client, tool: &RemoteTool) -> Result<(), Failure> {
    wire::why_no_task(client, tool).map_or(Ok(()), |why| {
        Err(Failure::server(format!(
            "--detach: {why}, so there would be nothing to come back to; nothing was called"
        )))
    })
}

impl Following<'_> {
    /// Begins the call, and leaves it as soon as it is a task.
    pub(crate) async fn detach(&mut self, call: BeginCall, what: &str) -> Result<Task, Failure> {
        self.screen.begin(what);
        let begun = async {
            let call = call.await?;
            let (Some(_), Some(task)) = (call.reference().await, call.task()) else {
                return Err(without_a_task(&call.result().await?));
            };
            // From here on the end of this program does not cancel it.
            Ok((call.detach(), task))
        };
        let begun = self.stop.or::<_, Failure>(begun).await;
        self.screen.end();
        let (reference, task) = begun?;
        if let Some(reference) = reference {
            self.show_way_back(&reference);
        }
        Ok(task)
    }
}

/// The call was made and has ended: what came of it is told, though it is not what was wanted.
fn without_a_task(result: &CallResult) -> Failure {
    let kind = if result.is_error() {
        "an error"
    } else {
        "a result"
    };
    Failure::server(format!(
        "--detach: the server made no task of the call and answered it with {kind}, so nothing is left running:\n{}",
        render::result(result)
    ))
}
