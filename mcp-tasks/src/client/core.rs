//! What every request goes through: its id, its metadata, its headers, and what is tried again.

use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use super::builder::ClientBuilder;
use super::dialect::Wire;
use super::error::ClientError;
use super::router::{Failure, Kind, Router};
use super::running::Running;
use super::tools::ToolCache;
use super::transport::{Outgoing, Transport};
use crate::model::capability::Capability;
use crate::model::remote::RemoteServer;
use crate::model::task::TaskId;
use crate::wire::client::reply::{self, Reply};
use crate::wire::client::{excerpt, header, hello, key, message};

/// How often a request whose answer was lost is asked again.
const REISSUES: u32 = 2;

/// What was agreed with the server.
#[derive(Debug)]
pub(super) struct Session {
    /// Counts the sessions of one client.
    pub(super) number: u64,
    pub(super) wire: Wire,
    /// What messages call the wire.
    pub(super) version: String,
    pub(super) server: RemoteServer,
}

/// A request, as often as it must be sent.
#[derive(Clone)]
pub(super) struct Ask {
    pub(super) method: Cow<'static, str>,
    pub(super) params: Map<String, Value>,
    /// What to call it before people.
    pub(super) what: String,
    /// Arguments repeated in headers.
    pub(super) headers: Vec<(String, String)>,
    pub(super) kind: Kind,
}

impl Ask {
    pub(super) fn new(method: impl Into<Cow<'static, str>>, params: Value) -> Self {
        let method = method.into();
        let params = match params {
            Value::Object(params) => params,
            _ => Map::new(),
        };
        Self {
            what: format!("`{method}`"),
            method,
            params,
            headers: Vec::new(),
            kind: Kind::Plain,
        }
    }

    pub(super) fn about(method: &'static str, task: &TaskId) -> Self {
        let mut ask = Self::new(method, json!({ "taskId": task.as_str() }));
        ask.what = format!("`{method}` of the task {task}");
        ask
    }

    fn may_become_task(&self) -> bool {
        matches!(self.kind, Kind::Task | Kind::CoreTask)
    }
}

pub(super) struct Core {
    pub(super) setup: ClientBuilder,
    pub(super) label: String,
    pub(super) router: Arc<Router>,
    pub(super) transport: Arc<dyn Transport>,
    pub(super) tools: ToolCache,
    /// Held while a session is agreed upon anew.
    pub(super) renewing: tokio::sync::Mutex<()>,
    /// The drivers of calls.
    pub(super) running: Running,
    session: Mutex<Option<Arc<Session>>>,
    last_id: AtomicU64,
}

impl Core {
    pub(super) fn new(
        setup: ClientBuilder,
        label: String,
        router: Arc<Router>,
        transport: Arc<dyn Transport>,
    ) -> Self {
        Self {
            setup,
            label,
            router,
            transport,
            tools: ToolCache::default(),
            renewing: tokio::sync::Mutex::default(),
            running: Running::default(),
            session: Mutex::default(),
            last_id: AtomicU64::new(0),
        }
    }

    /// What was agreed; always there once a client is handed out.
    pub(super) fn session(&self) -> Result<Arc<Session>, ClientError> {
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        session.clone().ok_or_else(|| ClientError::Closed {
            server: self.label.clone(),
            why: "no session was agreed upon".to_owned(),
        })
    }

    pub(super) fn agree(&self, wire: Wire, version: &str, server: RemoteServer) {
        let name = if server.name.is_empty() && server.title.is_none() {
            self.label.clone()
        } else {
            server.label().to_owned()
        };
        self.router.introduce(&name, wire.is_modern());
        if !wire.is_modern() {
            self.transport.begin_session(version);
        }
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let number = session.as_ref().map_or(1, |session| session.number + 1);
        *session = Some(Arc::new(Session {
            number,
            wire,
            version: version.to_owned(),
            server,
        }));
    }

    /// Asks until there is an answer, or a reason to give up.
    pub(super) async fn ask(&self, ask: &Ask) -> Result<Reply, ClientError> {
        let mut reissues = 0;
        let (mut renewed, mut changed) = (false, false);
        loop {
            let session = self.session()?;
            let failure = match self.once(&session, ask).await {
                Ok(result) => return self.read(&session, result, ask),
                Err(failure) => failure,
            };
            match &failure {
                Failure::Lost if reissues < REISSUES && is_repeatable(&session, ask) => {
                    reissues += 1;
                }
                Failure::SessionGone if !renewed => {
                    renewed = true;
                    self.renew(&session).await?;
                }
                Failure::Rpc(error) if session.wire.is_modern() && !changed => {
                    let Some(supported) = hello::supported(error) else {
                        return Err(self.error(&ask.what, failure));
                    };
                    changed = true;
                    self.change_version(&session, &supported).await?;
                }
                _ => return Err(self.error(&ask.what, failure)),
            }
        }
    }

    /// Asks for a method's own result; a task or a question in its place is against the protocol.
    pub(super) async fn ask_plainly(&self, ask: &Ask) -> Result<Map<String, Value>, ClientError> {
        let reply = self.ask(ask).await?;
        self.plain(reply, ask)
    }

    pub(super) fn plain(&self, reply: Reply, ask: &Ask) -> Result<Map<String, Value>, ClientError> {
        match reply {
            Reply::Complete(result) => Ok(result),
            Reply::InputRequired { .. } => Err(ClientError::Question {
                what: ask.what.clone(),
                why: "nothing but a result can be the answer to it".to_owned(),
            }),
            Reply::Task(_) => Err(self.broken(format!("{} was answered with a task", ask.what))),
        }
    }

    fn read(&self, session: &Session, result: Value, ask: &Ask) -> Result<Reply, ClientError> {
        let read = if session.wire.is_modern() {
            reply::modern(result, &ask.method, ask.may_become_task())
        } else {
            reply::legacy(result, ask.kind == Kind::CoreTask)
        };
        read.map_err(|why| self.broken(why))
    }

    /// Sends a request once, under an id of its own.
    pub(super) async fn once(&self, session: &Session, ask: &Ask) -> Result<Value, Failure> {
        self.send(session, ask, self.fresh_id()).await
    }

    /// Listens for news of a task until the server ends that, or this is dropped.
    pub(super) async fn listen(&self, task: &TaskId) {
        let Ok(session) = self.session() else {
            return;
        };
        let filter = json!({ "notifications": { "taskIds": [task.as_str()] } });
        let id = self.fresh_id();
        self.router.news.subscribe(id, task);
        let ended = self
            .send(&session, &Ask::new("subscriptions/listen", filter), id)
            .await;
        tracing::debug!("no longer listening for the task {task}: {ended:?}");
    }

    /// Sends a request once, under the id `id`.
    pub(super) async fn send(
        &self,
        session: &Session,
        ask: &Ask,
        id: u64,
    ) -> Result<Value, Failure> {
        let params = self.with_meta(session.wire, &ask.method, ask.params.clone());
        let waiting = self.router.wait(id, ask.kind)?;
        self.send_request(session, id, &ask.method, &params, &ask.headers);
        waiting.response().await
    }

    pub(super) fn fresh_id(&self) -> u64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(super) fn send_request(
        &self,
        session: &Session,
        id: u64,
        method: &str,
        params: &Map<String, Value>,
        headers: &[(String, String)],
    ) {
        let mut sent = Vec::new();
        if session.wire.is_modern() && self.transport.is_http() {
            sent.push(("mcp-protocol-version".to_owned(), session.version.clone()));
            sent.push(("mcp-method".to_owned(), method.to_owned()));
            sent.extend(header::name(method, params).map(|name| ("mcp-name".to_owned(), name)));
            sent.extend_from_slice(headers);
        }
        self.transport.send(Outgoing {
            id: Some(id),
            method: Some(method.to_owned()),
            body: message::request(id, method, params),
            headers: sent,
        });
    }

    /// Asks a task to stop, without waiting for the answer.
    pub(super) fn tell_cancel(&self, task: &TaskId) {
        let Ok(session) = self.session() else {
            return;
        };
        let ask = Ask::about("tasks/cancel", task);
        let params = self.with_meta(session.wire, &ask.method, ask.params);
        self.send_request(&session, self.fresh_id(), &ask.method, &params, &[]);
    }

    pub(super) fn with_meta(
        &self,
        wire: Wire,
        method: &str,
        mut params: Map<String, Value>,
    ) -> Map<String, Value> {
        // "All requests, notifications, and responses related to a task" say to which (SEP-1686, 4.7).
        if wire == Wire::Draft
            && method.starts_with("tasks/")
            && let Some(id) = params.get("taskId").cloned()
        {
            set_meta(
                &mut params,
                key::DRAFT_RELATED_TASK,
                json!({ "taskId": id }),
            );
        }
        if wire.is_modern() {
            let setup = &self.setup;
            let meta = hello::modern_meta(&setup.info, setup.capabilities(), setup.log_level);
            for (key, value) in meta {
                set_meta(&mut params, &key, value);
            }
        }
        params
    }

    /// Whether a call may become a task of the extension: whether this client declares it.
    pub(super) fn declares_tasks(&self) -> bool {
        self.setup.capabilities().has(Capability::Tasks)
    }

    pub(super) fn broken(&self, why: impl Into<String>) -> ClientError {
        ClientError::Protocol {
            server: self.router.server(),
            why: why.into(),
        }
    }

    pub(super) fn error(&self, what: &str, failure: Failure) -> ClientError {
        let what = what.to_owned();
        match failure {
            Failure::Rpc(error) => ClientError::Refused { what, error },
            Failure::Lost | Failure::SessionGone => ClientError::Lost { what },
            Failure::Connect(source) => ClientError::Connect {
                to: self.label.clone(),
                source,
            },
            Failure::Http {
                status,
                text,
                retry_after,
            } => ClientError::Http {
                url: self.label.clone(),
                status,
                retry_after,
                text: excerpt(text.trim()),
            },
            Failure::Closed(why) if self.session().is_err() => ClientError::Unanswered {
                server: self.label.clone(),
                why,
            },
            Failure::Closed(why) => ClientError::Closed {
                server: self.router.server(),
                why,
            },
            Failure::Broken(why) => self.broken(why),
        }
    }
}

/// Whether a request whose answer was lost may be sent again. A modern one ends with its stream; of before, a call
/// goes on without it.
fn is_repeatable(session: &Session, ask: &Ask) -> bool {
    session.wire.is_modern()
        || matches!(
            &*ask.method,
            "tools/list" | "tasks/get" | "tasks/result" | "tasks/list" | "ping"
        )
}

/// Sets a member of `_meta`, unless the caller has set it already.
pub(super) fn set_meta(params: &mut Map<String, Value>, key: &str, value: Value) {
    let meta = params.entry("_meta").or_insert_with(|| json!({}));
    if let Value::Object(meta) = meta {
        meta.entry(key).or_insert(value);
    }
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core")
            .field("server", &self.label)
            .finish_non_exhaustive()
    }
}
