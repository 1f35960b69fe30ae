//! What a client can ask for.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::Client;
use super::builder::ClientBuilder;
use super::call::{BeginCall, Reference, Source};
use super::core::Ask;
use super::dialect::Wire;
use super::drive;
use super::drive::pages::Pages;
use super::endpoint::Endpoint;
use super::error::ClientError;
use super::handlers::Asker;
use crate::model::remote::{CallResult, RemoteServer, RemoteTool, Task};
use crate::model::task::TaskId;
use crate::wire::client::task;

/// How long calls may take to end when their client is closed: a handler of the application's may hold one up.
const CALLS: Duration = Duration::from_secs(5);

/// Some of a server's tasks, as [`Client::list_tasks`] gives them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TaskPage {
    /// The tasks, in the server's order.
    pub tasks: Vec<Task>,
    /// Where the next page begins, if there is one.
    pub next: Option<String>,
}

impl Client {
    /// A client without handlers, connected to a server: a URL, a command to start, a `&Server` of this process, or
    /// any [`Endpoint`].
    ///
    /// # Errors
    /// If it cannot be reached, or does not answer as a server.
    pub async fn connect(to: impl Into<Endpoint>) -> Result<Self, ClientError> {
        Self::builder().connect(to).await
    }

    /// A client to be set up before it connects. [`ClientBuilder`] has an example.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::new()
    }

    /// Who the server says it is.
    pub fn server(&self) -> RemoteServer {
        self.core
            .session()
            .map(|session| session.server.clone())
            .unwrap_or_default()
    }

    /// What is spoken with the server.
    pub fn wire(&self) -> Wire {
        self.core
            .session()
            .map_or(Wire::V2026_07_28, |session| session.wire)
    }

    /// Ends the connection, and waits until it has ended. A child process is given five seconds to end once its input is
    /// closed, on Unix five more once it was sent SIGTERM, and is then killed. Calls under way end with
    /// [`ClientError::Closed`]. Dropping the last clone does the same without waiting.
    pub async fn close(self) {
        self.core.router.closed("this client was closed");
        // Those whose task goes on tell the server to cancel it.
        let _ = timeout(CALLS, self.core.running.idle()).await;
        self.core.transport.close().await;
    }

    /// Every tool, in the server's order. Over HTTP, those whose definition breaks the rules for headers are left out.
    ///
    /// # Errors
    /// The server's, or the connection's.
    pub async fn list_tools(&self) -> Result<Vec<RemoteTool>, ClientError> {
        self.core.list_tools().await
    }

    /// Calls a tool and waits for its result, whether the server makes a task of the call or not. `arguments` is an
    /// object, or `null` for none.
    ///
    /// Where the future is dropped, the call is cancelled.
    ///
    /// # Errors
    /// The server's JSON-RPC error, cancellation, expiry, or what befell the connection. A tool that fails in its own
    /// way gives a result with [`is_error`](CallResult::is_error).
    pub async fn call_tool(
        &self,
        name: impl Into<String>,
        arguments: Value,
    ) -> Result<CallResult, ClientError> {
        self.begin_call_tool(name, arguments).await?.result().await
    }

    /// Begins to call a tool: awaited, this is a [`PendingCall`](super::PendingCall) as soon as the request is on its
    /// way.
    ///
    /// ```no_run
    /// use mcp_tasks::client::{Client, ClientError};
    /// use serde_json::json;
    /// use std::time::Duration;
    ///
    /// # async fn shown(client: Client) -> Result<(), ClientError> {
    /// let call = client
    ///     .begin_call_tool("export", json!({ "table": "orders" }))
    ///     .keep(Duration::from_secs(3600))
    ///     .on_progress(|progress| println!("{} of {:?}", progress.done, progress.total))
    ///     .await?;
    /// let mut states = call.status_changes();
    /// while let Some(task) = states.next().await {
    ///     println!("{}", task.status);
    /// }
    /// match call.result().await {
    ///     Err(ClientError::Cancelled { .. }) => println!("somebody cancelled it"),
    ///     result => println!("{}", result?.text()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn begin_call_tool(&self, name: impl Into<String>, arguments: Value) -> BeginCall {
        let name = name.into();
        BeginCall::new(Arc::clone(&self.core), Source::Call { name, arguments })
    }

    /// Goes on with a task that was begun before, by this process or another.
    ///
    /// ```no_run
    /// use mcp_tasks::client::{Client, ClientError, Reference};
    /// use serde_json::json;
    ///
    /// # async fn shown(client: Client) -> Result<(), Box<dyn std::error::Error>> {
    /// let call = client.begin_call_tool("export", json!({})).await?;
    /// if call.task_id().await.is_some() {
    ///     std::fs::write("export.json", serde_json::to_string(&call.detach())?)?;
    /// }
    ///
    /// // On another day:
    /// let reference: Option<Reference> = serde_json::from_slice(&std::fs::read("export.json")?)?;
    /// if let Some(reference) = reference {
    ///     println!("{}", client.resume(reference).await?.result().await?.text());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn resume(&self, reference: Reference) -> BeginCall {
        BeginCall::new(Arc::clone(&self.core), Source::Resume(reference))
    }

    /// A task as it is now.
    ///
    /// # Errors
    /// The server's: it does not know the task, or no longer; or the connection's.
    pub async fn get_task(&self, id: &TaskId) -> Result<Task, ClientError> {
        self.core.get_task(id).await.map(|snapshot| snapshot.task)
    }

    /// The result of a task, once it has ended. Its questions are answered meanwhile. Dropped, this leaves the task
    /// alone.
    ///
    /// # Errors
    /// As [`call_tool`](Self::call_tool).
    pub async fn task_result(&self, id: &TaskId) -> Result<CallResult, ClientError> {
        let call = self.resume(Reference::new(id.as_str(), self.wire()));
        drive::begin_detached(call).await?.result().await
    }

    /// A page of the tasks that the server has for this client: the first, or the one that `cursor` names. 2026-07-28
    /// has no such list.
    ///
    /// ```no_run
    /// use mcp_tasks::client::{Client, ClientError, Wire};
    ///
    /// # async fn shown(client: Client) -> Result<(), ClientError> {
    /// let mut cursor = None;
    /// loop {
    ///     let page = client.list_tasks(cursor.as_deref()).await?;
    ///     for task in page.tasks {
    ///         if !task.status.is_terminal() {
    ///             client.cancel_task(&task.id).await?;
    ///         } else if client.wire() == Wire::Draft {
    ///             client.delete_task(&task.id).await?;
    ///         } else {
    ///             println!("{}", client.task_result(&task.id).await?.text());
    ///         }
    ///         println!("{}", client.get_task(&task.id).await?.status);
    ///     }
    ///     cursor = page.next;
    ///     if cursor.is_none() {
    ///         return Ok(());
    ///     }
    /// }
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the wire or the server has no list, or the connection broke.
    pub async fn list_tasks(&self, cursor: Option<&str>) -> Result<TaskPage, ClientError> {
        let session = self.core.session()?;
        let offered = match session.wire {
            Wire::V2025_11_25 => session.server.offers(&["tasks", "list"]),
            Wire::Draft => true,
            _ => false,
        };
        if !offered {
            return Err(self.lists_no_tasks());
        }
        let params = cursor.map_or(json!({}), |cursor| json!({ "cursor": cursor }));
        let mut page = self
            .core
            .ask_plainly(&Ask::new("tasks/list", params))
            .await?;
        let Some(Value::Array(tasks)) = page.remove("tasks") else {
            return Err(self.core.broken("a list of tasks without `tasks`"));
        };
        let tasks = tasks.into_iter().filter_map(|listed| {
            let listed = listed.as_object().cloned().unwrap_or_default();
            task::read(listed)
                .inspect_err(|why| tracing::warn!("a task of the server's is left out: {why}"))
                .ok()
        });
        Ok(TaskPage {
            tasks: tasks.map(|snapshot| snapshot.task).collect(),
            next: page
                .get("nextCursor")
                .and_then(Value::as_str)
                .map(str::to_owned),
        })
    }

    /// Cancels a task. In 2026-07-28 it ends when it ends, and perhaps completes; in 2025-11-25 it has ended by now.
    ///
    /// # Errors
    /// If the wire or the server cannot, the task has ended or is unknown, or the connection broke.
    pub async fn cancel_task(&self, id: &TaskId) -> Result<(), ClientError> {
        let session = self.core.session()?;
        let offered = match session.wire {
            Wire::V2026_07_28 => true,
            Wire::V2025_11_25 => session.server.offers(&["tasks", "cancel"]),
            _ => false,
        };
        if !offered {
            return Err(self.lacks("a way to cancel tasks by their id"));
        }
        self.core
            .ask_plainly(&Ask::about("tasks/cancel", id))
            .await
            .map(drop)
    }

    /// Deletes a task and its result. The SEP-1686 draft alone has this.
    ///
    /// # Errors
    /// If the wire has no deletion, the server refuses it, or the connection broke.
    pub async fn delete_task(&self, id: &TaskId) -> Result<(), ClientError> {
        if self.wire() != Wire::Draft {
            return Err(self.lacks("a way to delete tasks"));
        }
        self.core
            .ask_plainly(&Ask::about("tasks/delete", id))
            .await
            .map(drop)
    }

    /// Sends any request, and returns its result as it came. What every request of the wire must carry is added, and
    /// questions in place of a result are put to the handlers, as those of a call are; so are pages in place of one.
    ///
    /// # Errors
    /// The server's, or the connection's; a question that cannot be answered. A task in place of the result is one
    /// too: tools are called by [`call_tool`](Self::call_tool).
    pub async fn request(
        &self,
        method: impl Into<String>,
        params: Value,
    ) -> Result<Map<String, Value>, ClientError> {
        let mut ask = Ask::new(method.into(), params);
        let asker = Asker {
            server: self.core.router.server(),
            ..Asker::default()
        };
        let mut pages = Pages::default();
        loop {
            match self.core.ask_in_rounds(&mut ask, &asker).await {
                Err(error) => self.core.visit(error, &mut pages, &asker).await?,
                Ok(reply) => return self.core.plain(reply, &ask),
            }
        }
    }

    /// Why there is no list to be had: the wire has none, or the server does not offer it to this client.
    fn lists_no_tasks(&self) -> ClientError {
        let (wire, server) = (self.wire(), self.server());
        let label = server.label();
        ClientError::Unsupported(match wire {
            Wire::V2026_07_28 => {
                format!("the wire {wire} has no list of tasks: each is found by its id alone")
            }
            Wire::V2025_11_25 if server.offers(&["tasks"]) => format!(
                "{label} offers this client no list of tasks: servers have one for callers that they can tell apart, by a \
                 token, say, and a task is found by its id all the same"
            ),
            Wire::V2025_11_25 => format!("{label} has no tasks on the wire {wire}"),
            _ => format!("the wire {wire} has no tasks"),
        })
    }

    fn lacks(&self, what: &str) -> ClientError {
        let server = self.server();
        ClientError::Unsupported(format!(
            "{} on the wire {} does not have {what}",
            server.label(),
            self.wire()
        ))
    }
}
