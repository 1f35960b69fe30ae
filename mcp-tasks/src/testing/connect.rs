//! From a server to a connected client.

use std::any::Any;
use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::io::{AsyncRead, AsyncWrite};

use super::client::Client;
use super::kind::{ClientKind, TASKS_EXTENSION};
use crate::context::extensions::Extensions;
use crate::context::typemap::TypeMap;
use crate::model::principal::{Owner, Principal};
use crate::server::Server;

/// Room for lines under way in each direction; a longer line still passes, in parts.
const PIPE: usize = 64 * 1024;

/// How a [`Client`] introduces itself.
///
/// See [the guide](crate::guide::testing#a-call) for one that declares less.
#[derive(Clone)]
pub struct ClientBuilder {
    pub(super) kind: ClientKind,
    pub(super) capabilities: Value,
    pub(super) log_level: Option<String>,
    pub(super) patience: Duration,
    principal: Option<Principal>,
    extensions: TypeMap,
}

impl ClientBuilder {
    pub(super) fn new(kind: ClientKind) -> Self {
        Self {
            kind,
            capabilities: kind.default_capabilities(),
            log_level: None,
            patience: Duration::from_secs(30),
            principal: None,
            extensions: TypeMap::default(),
        }
    }

    /// Declares these capabilities instead of all that the revision knows; `json!({})` for none. The tasks
    /// extension is added where the kind has it.
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Asks for log messages from this level on: with each call in 2026-07-28, once for the session before.
    pub fn log_level(mut self, level: impl Into<String>) -> Self {
        self.log_level = Some(level.into());
        self
    }

    /// How long the server may stay silent, or a task unchanged, before the test fails: 30 seconds unless set.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Calls as this principal, as a client over HTTP does whose token says who it is; without one, as this process's own
    /// user. Only for [`connect`](Self::connect).
    ///
    /// ```
    /// use mcp_tasks::prelude::*;
    /// use mcp_tasks::testing::{Client, every_client};
    /// use serde_json::json;
    ///
    /// /// Say who calls.
    /// #[mcp_tool]
    /// async fn whoami(caller: Principal) -> String {
    ///     caller.subject().to_owned()
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let server = Server::new("people").tools(tools![whoami]);
    /// for kind in every_client() {
    ///     for name in ["ann", "bob"] {
    ///         let caller = Principal::new("https://login.example.com", name);
    ///         let mut client = Client::builder(kind).principal(caller).connect(&server).await;
    ///         assert_eq!(client.call("whoami", json!({})).await.text(), name, "{kind}");
    ///     }
    /// }
    /// # }
    /// ```
    pub fn principal(mut self, principal: Principal) -> Self {
        self.principal = Some(principal);
        self
    }

    /// Has each request carry this value, as if a `tower` layer had put it there: tools take it as
    /// [`Extension<T>`](crate::Extension). Only for [`connect`](Self::connect).
    pub fn extension<T: Any + Clone + Send + Sync>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }

    /// Serves `server` in the background and connects to it.
    ///
    /// # Panics
    /// If the handshake fails.
    pub async fn connect(self, server: &Server) -> Client {
        let (near, far) = tokio::io::duplex(PIPE);
        let (reader, writer) = tokio::io::split(far);
        let server = server.clone();
        let owner = self.principal.clone();
        let owner = owner.map_or(Owner::Process, Owner::Principal);
        let extensions = Extensions::given(self.extensions.clone());
        let serving =
            tokio::spawn(
                async move { server.serve_io_for(owner, extensions, reader, writer).await },
            );
        let mut client = Client::new(self, near);
        client.serving = Some(serving);
        client.shake_hands().await;
        client
    }

    /// Connects over any stream of lines, such as a child process or a server of another make.
    ///
    /// # Panics
    /// If the handshake fails.
    pub async fn over(
        self,
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    ) -> Client {
        let mut client = Client::new(self, stream);
        client.shake_hands().await;
        client
    }

    /// The capabilities as they are declared.
    pub(super) fn declared(&self) -> Value {
        let mut declared = self.capabilities.clone();
        if self.kind == ClientKind::TasksExtension {
            declared["extensions"][TASKS_EXTENSION] = json!({});
        }
        declared
    }

    /// Whether a question to the user can reach this client.
    pub(super) fn can_be_asked(&self) -> bool {
        self.kind.asks() && !self.capabilities["elicitation"].is_null()
    }

    /// What a modern request says of its client.
    pub(super) fn modern_meta(&self) -> Map<String, Value> {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": self.kind.revision(),
            "io.modelcontextprotocol/clientInfo": client_info(),
            "io.modelcontextprotocol/clientCapabilities": self.declared(),
        });
        match meta {
            Value::Object(meta) => meta,
            _ => unreachable!("an object literal"),
        }
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("kind", &self.kind)
            .field("principal", &self.principal)
            .finish_non_exhaustive()
    }
}

fn client_info() -> Value {
    json!({ "name": "mcp-tasks-testing", "version": env!("CARGO_PKG_VERSION") })
}

impl Client {
    /// A client of `kind` that declares all its revision knows, connected to `server`.
    ///
    /// # Panics
    /// If the handshake fails.
    pub async fn connect(server: &Server, kind: ClientKind) -> Self {
        Self::builder(kind).connect(server).await
    }

    /// A client of `kind`, to be set up before it connects.
    pub fn builder(kind: ClientKind) -> ClientBuilder {
        ClientBuilder::new(kind)
    }

    async fn shake_hands(&mut self) {
        if self.kind().is_modern() {
            return;
        }
        let hello = json!({
            "protocolVersion": self.kind().revision(),
            "capabilities": self.setup.declared(),
            "clientInfo": client_info(),
        });
        match self.request("initialize", hello).await {
            Ok(result) => self.initialized = Some(result),
            Err(error) => panic!("`initialize` was refused: {error}"),
        }
        self.notify("notifications/initialized", Value::Null).await;
        if let Some(level) = self.setup.log_level.clone() {
            let set = self
                .request("logging/setLevel", json!({ "level": level }))
                .await;
            assert!(set.is_ok(), "`logging/setLevel` was refused: {set:?}");
        }
    }
}
