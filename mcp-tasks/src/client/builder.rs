//! How a client introduces itself, and what it does with questions.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use super::dialect::Wire;
use super::endpoint::Endpoint;
use super::error::ClientError;
use super::handlers::{FormQuestion, Handlers, Root, SampleQuestion, UrlQuestion};
use super::{Client, connect};
use crate::model::answer::Answer;
use crate::model::capability::{Capabilities, Capability};
use crate::model::level::LogLevel;
use crate::model::remote::LogMessage;
use crate::wire::client::hello::ClientInfo;

/// How long a server that does not answer the first question of a modern client is waited for, before it is taken for
/// an older one.
const DISCOVERY: Duration = Duration::from_secs(5);
/// How long the answer to `initialize` may take: time enough for a program that is fetched before it starts.
const HANDSHAKE: Duration = Duration::from_secs(60);
/// How long a call that requires pages to be visited waits for word that they have been: as long as a sign-in may take.
const COMPLETION: Duration = Duration::from_secs(300);
/// How long one message of a server's may be.
const MESSAGE: usize = 64 * 1024 * 1024;

/// Sets a [`Client`] up. Made by [`Client::builder`].
///
/// What has a handler is declared to servers, and nothing else: a client without any is asked nothing.
///
/// ```no_run
/// use mcp_tasks::LogLevel;
/// use mcp_tasks::client::{Answer, Client, ClientError, Root};
/// use serde_json::{Map, json};
/// use tokio::process::Command;
///
/// # async fn shown() -> Result<(), ClientError> {
/// let client = Client::builder()
///     .name("my-host", "1.0.0")
///     .on_form(async |form| {
///         println!("{} asks: {}", form.asker.server, form.message);
///         // No answers of the user's own: the form's defaults, if each field has one.
///         Answer::Accepted(Map::new())
///     })
///     .on_url(async |page| {
///         println!("{} wants you to visit {}", page.asker.server, page.url);
///         Answer::Declined
///     })
///     .on_roots(async || vec![Root::new("file:///home/ada/project")])
///     .on_log(LogLevel::Warning, |message| eprintln!("{}", message.data))
///     .connect(Command::new("weather-server"))
///     .await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until it connects"]
pub struct ClientBuilder {
    pub(super) info: ClientInfo,
    pub(super) wire: Option<Wire>,
    pub(super) tasks: bool,
    pub(super) log_level: Option<LogLevel>,
    pub(super) discovery: Duration,
    pub(super) handshake: Duration,
    pub(super) completion: Duration,
    pub(super) message_bytes: usize,
    pub(super) handlers: Handlers,
}

impl ClientBuilder {
    pub(super) fn new() -> Self {
        Self {
            info: ClientInfo {
                name: env!("CARGO_PKG_NAME").to_owned(),
                title: None,
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            wire: None,
            tasks: true,
            log_level: None,
            discovery: DISCOVERY,
            handshake: HANDSHAKE,
            completion: COMPLETION,
            message_bytes: MESSAGE,
            handlers: Handlers::default(),
        }
    }

    /// The name and version that servers are told.
    pub fn name(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.info.name = name.into();
        self.info.version = version.into();
        self
    }

    /// A name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.info.title = Some(title.into());
        self
    }

    /// Speaks this wire and no other. Without it the client finds out by itself.
    pub fn wire(mut self, wire: Wire) -> Self {
        self.wire = Some(wire);
        self
    }

    /// Whether calls may become tasks, which is so unless this says `false`. Nobody who calls sees a difference, but a
    /// call that is a task outlives its connection.
    pub fn tasks(mut self, yes: bool) -> Self {
        self.tasks = yes;
        self
    }

    /// How long to wait for the answer to `server/discover` before the server is taken for one of before 2026-07-28:
    /// five seconds unless set. Some of those never answer what they do not know.
    pub fn discovery_timeout(mut self, patience: Duration) -> Self {
        self.discovery = patience;
        self
    }

    /// How long to wait for the answer to `initialize` before the server is given up: a minute unless set.
    pub fn handshake_timeout(mut self, patience: Duration) -> Self {
        self.handshake = patience;
        self
    }

    /// How long a call whose server first wants pages to be visited waits for word that they have done their part, before
    /// it is made again all the same: five minutes unless set. Some servers never say it. Zero is right where
    /// [`on_url`](Self::on_url) itself accepts only once the user has been there.
    pub fn completion_timeout(mut self, patience: Duration) -> Self {
        self.completion = patience;
        self
    }

    /// How many bytes one message of the server's may have: 64 MiB unless set. A longer one ends the connection, over
    /// HTTP its request.
    pub fn message_bytes(mut self, most: usize) -> Self {
        self.message_bytes = most;
        self
    }

    /// Answers forms. What is accepted is checked against the form, and defaults stand in for what is missing; an
    /// answer that does not fit ends the call.
    ///
    /// A question that the server no longer waits for is withdrawn: the handler's future is dropped.
    pub fn on_form<F, A>(mut self, answer: F) -> Self
    where
        F: Fn(FormQuestion) -> A + Send + Sync + 'static,
        A: Future<Output = Answer<Map<String, Value>>> + Send + 'static,
    {
        self.handlers.form = Some(Arc::new(move |question| Box::pin(answer(question))));
        self
    }

    /// Shows pages. Accepting means that the user agreed to visit the page, not that what is to be done there is done;
    /// of that, [`UrlQuestion::completed`] tells where the server does.
    ///
    /// A server of 2025-11-25 may refuse a call until pages have been visited (error -32042). They come here too, and
    /// once all are accepted and done, the call is made again, a bounded number of times; see
    /// [`completion_timeout`](Self::completion_timeout). If one is not accepted, the call ends with
    /// [`ClientError::Declined`]. While it waits it may be cancelled as ever. Without this handler it ends with the server's
    /// error.
    pub fn on_url<F, A>(mut self, answer: F) -> Self
    where
        F: Fn(UrlQuestion) -> A + Send + Sync + 'static,
        A: Future<Output = Answer<()>> + Send + 'static,
    {
        self.handlers.url = Some(Arc::new(move |question| Box::pin(answer(question))));
        self
    }

    /// Makes completions: an accepted answer is the `CreateMessageResult` object, with `role`, `content` and `model`.
    ///
    /// ```
    /// use mcp_tasks::client::{Answer, Client};
    /// use serde_json::{Value, json};
    ///
    /// let builder = Client::builder().on_sample(async |question| {
    ///     let text = format!("an answer to {}", question.params["messages"]);
    ///     let made = json!({
    ///         "role": "assistant", "model": "echo", "content": { "type": "text", "text": text },
    ///     });
    ///     match made {
    ///         Value::Object(made) => Answer::Accepted(made),
    ///         _ => Answer::Declined,
    ///     }
    /// });
    /// ```
    pub fn on_sample<F, A>(mut self, answer: F) -> Self
    where
        F: Fn(SampleQuestion) -> A + Send + Sync + 'static,
        A: Future<Output = Answer<Map<String, Value>>> + Send + 'static,
    {
        self.handlers.sample = Some(Arc::new(move |question| Box::pin(answer(question))));
        self
    }

    /// Lists the roots.
    pub fn on_roots<F, A>(mut self, list: F) -> Self
    where
        F: Fn() -> A + Send + Sync + 'static,
        A: Future<Output = Vec<Root>> + Send + 'static,
    {
        self.handlers.roots = Some(Arc::new(move |()| Box::pin(list())));
        self
    }

    /// Takes log messages from `level` on. It must not block: messages are read in between.
    pub fn on_log<F>(mut self, level: LogLevel, take: F) -> Self
    where
        F: Fn(LogMessage) + Send + Sync + 'static,
    {
        self.log_level = Some(level);
        self.handlers.log = Some(Arc::new(take));
        self
    }

    /// Connects to a server: a URL, a command to start, a `&Server` of this process, or any [`Endpoint`].
    ///
    /// # Errors
    /// If it cannot be reached, does not answer as a server, or does not speak the wire that was asked for.
    pub async fn connect(self, to: impl Into<Endpoint>) -> Result<Client, ClientError> {
        connect::connect(self, to.into()).await
    }

    pub(super) fn capabilities(&self) -> Capabilities {
        let handled = self.handlers.capabilities();
        if self.tasks {
            handled.with(Capability::Tasks)
        } else {
            handled
        }
    }
}
