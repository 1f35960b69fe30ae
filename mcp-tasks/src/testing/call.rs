//! One tool call, taken to its end on whatever way the wire has for it.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::panic::Location;
use std::pin::Pin;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::client::Client;
use super::draft;
use super::kind::ClientKind;
use super::outcome::Outcome;
use super::run::Run;
use super::script::{Question, Reply, Script};

/// A tool call about to be made; await it.
///
/// Replies serve in the order they are given, each once; one that names a question is kept for it. A reply that is
/// left over fails the test, unless the client declared no `elicitation`: that one is never asked.
///
/// ```no_run
/// # use mcp_tasks::testing::{Client, Reply};
/// # use serde_json::json;
/// # async fn test(mut client: Client) {
/// let outcome = client
///     .call("book", json!({ "city": "Oslo" }))
///     .reply_to("Which room?", Reply::Accept(json!({ "room": "double" })))
///     .decline()
///     .await;
/// assert_eq!(outcome.questions.len(), 2);
/// # }
/// ```
#[must_use = "a call is made when it is awaited"]
pub struct Call<'c> {
    client: &'c mut Client,
    tool: String,
    arguments: Value,
    ttl: Option<u64>,
    progress: bool,
    cancel_after: Option<Duration>,
    cancel_at: Option<String>,
    script: Script,
}

impl<'c> Call<'c> {
    #[track_caller]
    pub(super) fn new(client: &'c mut Client, tool: &str, arguments: Value) -> Self {
        let tool = tool.to_owned();
        client.calling = Some((tool.clone(), Location::caller()));
        Self {
            client,
            tool,
            arguments,
            ttl: None,
            progress: true,
            cancel_after: None,
            cancel_at: None,
            script: Script::default(),
        }
    }

    /// The next question is accepted with this content.
    pub fn accept(self, content: Value) -> Self {
        self.reply(Reply::Accept(content))
    }

    /// The next question is declined.
    pub fn decline(self) -> Self {
        self.reply(Reply::Decline)
    }

    /// The next question is closed without a choice.
    pub fn dismiss(self) -> Self {
        self.reply(Reply::Dismiss)
    }

    /// The next question is never answered: it stays open until the tool no longer waits, or the test fails for want of
    /// [patience](super::ClientBuilder::patience).
    ///
    /// ```no_run
    /// # use mcp_tasks::testing::Client;
    /// # use serde_json::json;
    /// # async fn test(mut client: Client) {
    /// // `book` gives up on its question after ten seconds.
    /// let outcome = client.call("book", json!({ "city": "Oslo" })).never_answer().await;
    /// assert_eq!(outcome.text(), "no room was chosen in time");
    /// # }
    /// ```
    pub fn never_answer(self) -> Self {
        self.reply(Reply::Never)
    }

    /// The next question gets this reply.
    pub fn reply(mut self, reply: Reply) -> Self {
        self.script.push(None, reply);
        self
    }

    /// The question with this key, or with this in its message, gets this reply.
    pub fn reply_to(mut self, about: impl Into<String>, reply: Reply) -> Self {
        self.script.push(Some(about.into()), reply);
        self
    }

    /// Every question that the replies do not cover is put to `responder`.
    pub fn reply_with(
        mut self,
        responder: impl FnMut(&Question) -> Reply + Send + 'static,
    ) -> Self {
        self.script.otherwise(Box::new(responder));
        self
    }

    /// Cancels the call once this has passed, in the way that the client has: `tasks/cancel` for a task,
    /// `notifications/cancelled` otherwise. Under `start_paused` the time is exact. To cancel at a question, give it
    /// [`Reply::CancelCall`].
    ///
    /// ```no_run
    /// # use mcp_tasks::testing::Client;
    /// # use serde_json::json;
    /// # use std::time::Duration;
    /// # async fn test(mut client: Client) {
    /// let outcome = client.call("import", json!({})).cancel_after(Duration::from_secs(2)).await;
    /// assert!(outcome.was_cancelled());
    /// # }
    /// ```
    pub fn cancel_after(mut self, time: Duration) -> Self {
        self.cancel_after = Some(time);
        self
    }

    /// Cancels the call once it reports this: with a progress report or a status whose text contains `text`. The test
    /// fails if the call ends without it. A task of 2026-07-28 is polled every 50 milliseconds until then, so that no
    /// report which lasts as long is missed.
    ///
    /// ```no_run
    /// # use mcp_tasks::testing::Client;
    /// # use serde_json::json;
    /// # async fn test(mut client: Client) {
    /// let outcome = client.call("import", json!({})).cancel_at("second file").await;
    /// assert!(outcome.was_cancelled());
    /// # }
    /// ```
    pub fn cancel_at(mut self, text: impl Into<String>) -> Self {
        self.cancel_at = Some(text.into());
        self
    }

    /// Wishes for this many milliseconds of a 2025-11-25 task's life, or for as many after the end of a draft task.
    pub fn ttl(mut self, millis: u64) -> Self {
        self.ttl = Some(millis);
        self
    }

    /// Does not ask for progress; a call asks for it otherwise.
    pub fn without_progress(mut self) -> Self {
        self.progress = false;
        self
    }
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("tool", &self.tool)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}

impl<'c> IntoFuture for Call<'c> {
    type Output = Outcome;
    type IntoFuture = Pin<Box<dyn Future<Output = Outcome> + Send + 'c>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let mut params = Map::new();
            params.insert("name".to_owned(), json!(self.tool));
            params.insert("arguments".to_owned(), self.arguments);
            if self.client.runs_as_core_task(&self.tool).await {
                let ttl = self.ttl.map(|ttl| ("ttl".to_owned(), json!(ttl)));
                params.insert("task".to_owned(), Value::Object(ttl.into_iter().collect()));
            }
            if self.client.kind() == ClientKind::Draft {
                params.insert("_meta".to_owned(), draft::meta(self.ttl));
            }
            let mut run = Run::new(self.client, self.tool, self.script, self.progress);
            if let Some(time) = self.cancel_after {
                run.cancel_after(time);
            }
            if let Some(text) = self.cancel_at {
                run.cancel_at_report(text);
            }
            run.finish(params).await
        })
    }
}

impl Client {
    /// Whether this client sends `task` with a call: tools are task-capable by their own word in `tools/list`
    /// (2025-11-25 tasks, "Tool-Level Negotiation").
    async fn runs_as_core_task(&mut self, tool: &str) -> bool {
        if self.kind() != ClientKind::CoreTasks {
            return false;
        }
        let offered = self
            .initialize_result()
            .map(|result| &result["capabilities"]["tasks"]);
        if offered.is_none_or(|tasks| tasks["requests"]["tools"]["call"].is_null()) {
            return false;
        }
        if self.task_tools.is_none() {
            let listed = self.request("tools/list", Value::Null).await;
            let listed = listed.unwrap_or_else(|error| panic!("`tools/list` was refused: {error}"));
            let tools = listed["tools"].as_array().into_iter().flatten();
            let capable = tools.filter(|tool| {
                matches!(
                    tool["execution"]["taskSupport"].as_str(),
                    Some("optional" | "required")
                )
            });
            self.task_tools = Some(
                capable
                    .filter_map(|tool| Some(tool["name"].as_str()?.to_owned()))
                    .collect(),
            );
        }
        self.task_tools
            .as_ref()
            .is_some_and(|tools| tools.contains(tool))
    }
}
