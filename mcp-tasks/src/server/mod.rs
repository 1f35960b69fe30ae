//! The server: its builder, and what joins tools, tasks and wires while it runs.

#[cfg(feature = "http")]
mod allowed;
mod around;
pub(crate) mod at_once;
#[cfg(feature = "http")]
mod auth;
mod build;
mod call;
mod caller;
mod capabilities;
mod catalog;
mod core;
mod error;
mod exchange;
mod gate;
mod last_meta;
mod legacy;
mod limits;
mod listen;
mod live;
mod methods;
mod modern;
pub(crate) mod outbox;
pub(crate) mod outlet;
mod park;
mod peer;
mod policy;
mod reply;
mod requests;
mod run;
mod task_runs;
mod task_tools;
mod tasks;
mod weak_runs;

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

#[cfg(feature = "http")]
pub(crate) use self::allowed::Allowed;
pub use self::around::{Next, ToolCall};
#[cfg(feature = "http")]
pub(crate) use self::auth::{Auth, Bearer};
#[cfg(feature = "http")]
pub use self::auth::{AuthError, Identity, ProtectedResource};
pub use self::caller::Caller;
pub(crate) use self::core::Core;
#[cfg(feature = "testing")]
pub use self::core::Tables;
pub use self::error::Error;
#[cfg(feature = "http")]
pub(crate) use self::exchange::{Exchange, Headers};
#[cfg(feature = "http")]
pub(crate) use self::gate::{Gate, Pass};
pub use self::limits::Limits;
pub use self::live::LiveTools;
pub use self::methods::{InputRequired, MethodCall, MethodResult};
#[cfg(feature = "http")]
pub(crate) use self::modern::is_modern_method;
pub(crate) use self::peer::Peer;
pub use self::policy::Policy;
pub(crate) use self::run::ASKING;
pub(crate) use self::task_tools::entry;

use serde_json::Value;

use self::build::Setup;
use self::task_tools::TASK_TOOLS;
use crate::model::error::RpcError;
#[cfg(any(feature = "testing", feature = "unstable-store"))]
use crate::task::TaskStore;
use crate::tool::error::ToolError;
use crate::tool::runtime::RuntimeTool;
use crate::tool::{BoxFuture, Output, Tools};

/// An MCP server: tools, and everything needed to run them for any client.
///
/// Built by value, then served; clones share one set of running tasks.
///
/// ```
/// use mcp_tasks::Server;
///
/// let server = Server::new("ops")
///     .title("Operations")
///     .version("1.2.0")
///     .instructions("Deploys things. Ask before production.");
/// assert!(server.check().is_ok());
/// ```
///
/// Clients of 2026-07-28 find that revision by `server/discover`, whose `supportedVersions` lists nothing older: the
/// revisions 2025-11-25, 2025-06-18 and 2025-03-26 are agreed on by `initialize`.
///
/// [The guide](crate::guide) has chapters on [state](crate::guide::state), [owners](crate::guide::owners),
/// [HTTP](crate::guide::http) and [limits](crate::guide::limits).
#[derive(Clone)]
pub struct Server {
    setup: Box<Setup>,
    core: Arc<OnceLock<Arc<Core>>>,
}

impl Server {
    /// A server that calls itself `name`, without tools so far.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            setup: Box::new(Setup::new(name.into())),
            core: Arc::default(),
        }
    }

    /// Adds the tools of a `tools![]` list. The first list's crate gives the server its version, unless
    /// [`version`](Self::version) does.
    ///
    /// [`tools!`](crate::tools) has an example.
    pub fn tools(self, tools: Tools) -> Self {
        self.change(|setup| setup.tools(tools))
    }

    /// Adds a tool known only at run time.
    ///
    /// [`RuntimeTool`] has an example.
    pub fn add_tool(self, tool: RuntimeTool) -> Self {
        self.change(|setup| setup.add_tool(tool, &TASK_TOOLS))
    }

    /// Offers the tools of a set that may change while the server runs, beside its own.
    ///
    /// [`LiveTools`] has an example.
    pub fn live_tools(self, tools: &LiveTools) -> Self {
        self.change(|setup| setup.live_tools(tools.clone(), &TASK_TOOLS))
    }

    /// The server's version, as clients see it.
    pub fn version(self, version: impl Into<String>) -> Self {
        self.change(|setup| setup.version = Some(version.into()))
    }

    /// The server's name for people.
    pub fn title(self, title: impl Into<String>) -> Self {
        self.change(|setup| setup.title = Some(title.into()))
    }

    /// What the client's model should know about using this server.
    pub fn instructions(self, text: impl Into<String>) -> Self {
        self.change(|setup| setup.instructions = Some(text.into()))
    }

    /// Shares `value` with every tool that takes a `State<T>`.
    ///
    /// [`State`](crate::State) has an example.
    pub fn state<T: Any + Clone + Send + Sync>(self, value: T) -> Self {
        self.change(|setup| setup.states.insert(value))
    }

    /// Replaces the default limits.
    ///
    /// [`Limits`] has an example, and [the guide](crate::guide::limits) all of them.
    pub fn limits(self, limits: Limits) -> Self {
        self.change(|setup| setup.limits = limits)
    }

    /// Changes how runs of the tool `name` are bounded, over what its attribute says. An unknown name is an
    /// error at start-up.
    ///
    /// ```
    /// # #[cfg(feature = "macros")] {
    /// use std::time::Duration;
    /// use mcp_tasks::prelude::*;
    ///
    /// /// Build.
    /// #[mcp_tool(task)]
    /// async fn build() {}
    ///
    /// let server = Server::new("builder").tools(tools![build]).configure("build", |policy| {
    ///     policy.timeout = Some(Duration::from_secs(600));
    ///     policy.max_running = Some(2);
    /// });
    /// assert!(server.check().is_ok());
    /// # }
    /// ```
    pub fn configure(
        self,
        name: impl Into<String>,
        change: impl Fn(&mut Policy) + Send + Sync + 'static,
    ) -> Self {
        self.change(|setup| setup.policies.push((name.into(), Arc::new(change))))
    }

    /// Puts `around` round every call of a tool: to limit rates, to audit, to refuse. It runs as part of the call, once
    /// the arguments have been found fitting: of a task when its turn has come, and once however often its client has
    /// to come back with answers. What is given first is outermost.
    ///
    /// ```
    /// use mcp_tasks::{Next, Server, ToolCall};
    ///
    /// let server = Server::new("ops").around(|call: ToolCall, next: Next| async move {
    ///     let subject = call.caller().principal().map_or("anybody", |caller| caller.subject());
    ///     if subject == "guest" && call.tool() == "deploy" {
    ///         return Err("guests cannot deploy".into());
    ///     }
    ///     let output = next.run().await?;
    ///     eprintln!("{subject} called {}: error {}", call.tool(), output.is_error());
    ///     Ok(output)
    /// });
    /// # assert!(server.check().is_ok());
    /// ```
    pub fn around<A, F>(self, around: A) -> Self
    where
        A: Fn(ToolCall, Next) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Output, ToolError>> + Send + 'static,
    {
        let around = Arc::new(around);
        let boxed = move |call, next| {
            let around = Arc::clone(&around);
            // The closure's own first lines run inside the future, where a panic is caught.
            Box::pin(async move { around(call, next).await }) as BoxFuture<'static, _>
        };
        self.change(|setup| setup.around = Some(around::nested(setup.around.take(), boxed)))
    }

    /// Shows each caller the tools for which this is `true`, given the caller and the tool's name. The others are
    /// unknown to that caller, in lists and calls alike. Asked on every list and call, so it should be quick; a task
    /// that was made stays its owner's. A tool that it panics over is shown to nobody. The last one given counts.
    ///
    /// ```
    /// use mcp_tasks::Server;
    ///
    /// let server = Server::new("ops").visible(|caller, tool| {
    ///     !tool.starts_with("admin_") || caller.principal().is_some_and(|who| who.subject() == "root")
    /// });
    /// # assert!(server.check().is_ok());
    /// ```
    pub fn visible(self, visible: impl Fn(&Caller, &str) -> bool + Send + Sync + 'static) -> Self {
        self.change(|setup| setup.visible = Some(caller::guarded_visible(visible)))
    }

    /// Answers a further method, such as `prompts/list`, `resources/read` or one of your own, so that a server of
    /// tools can also be more than that. `handler` returns the `result` object or [`InputRequired`]; what the
    /// caller's revision wants around it is added (see [`MethodResult`]).
    ///
    /// The same handler answers clients of every revision. A method that a revision has removed
    /// (`resources/subscribe` in 2026-07-28) is unknown there. Methods that the server answers itself cannot be
    /// given, and prompts, resources and completions must be declared by [`capability`](Self::capability): both are
    /// errors at start-up.
    ///
    /// ```
    /// use mcp_tasks::{MethodCall, RpcError, Server};
    /// use serde_json::json;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Read { uri: String }
    ///
    /// let server = Server::new("notes")
    ///     .capability("resources", json!({}))
    ///     .on_method("resources/list", |_| async {
    ///         Ok(json!({ "resources": [{ "uri": "note://1", "name": "First" }] }))
    ///     })
    ///     .on_method("resources/read", |call: MethodCall| async move {
    ///         let Read { uri } = call.params()?;
    ///         if uri != "note://1" {
    ///             return Err(RpcError::invalid_params("Resource not found").with_data(&json!({ "uri": uri })));
    ///         }
    ///         Ok(json!({ "contents": [{ "uri": uri, "text": "Buy milk." }] }))
    ///     });
    /// assert!(server.check().is_ok());
    /// ```
    pub fn on_method<H, F, R>(self, name: impl Into<String>, handler: H) -> Self
    where
        H: Fn(MethodCall) -> F + Send + Sync + 'static,
        F: Future<Output = Result<R, RpcError>> + Send + 'static,
        R: Into<MethodResult>,
    {
        self.change(|setup| setup.methods.add(name.into(), handler))
    }

    /// Declares a capability that [`on_method`](Self::on_method) brings, such as `prompts`, with its object.
    pub fn capability(self, name: impl Into<String>, value: Value) -> Self {
        self.change(|setup| drop(setup.capabilities.insert(name.into(), value)))
    }

    /// Keeps tasks in `store` in place of this process's memory. The module [`store`](crate::store) has an example.
    #[cfg(feature = "unstable-store")]
    pub fn store(self, store: impl TaskStore) -> Self {
        self.change(|setup| setup.keep_tasks_in(Arc::new(store), &TASK_TOOLS))
    }

    #[cfg(feature = "testing")]
    pub(crate) fn keeping_tasks_in(self, store: Arc<dyn TaskStore>) -> Self {
        self.change(|setup| setup.keep_tasks_in(store, &TASK_TOOLS))
    }

    /// Keeps the texts of errors from clients: an error that became a [`ToolError`] by `?` or `into()` reaches the
    /// model as a reference number, and its text and sources go to `tracing` under that number. For servers whose
    /// clients should not learn of hosts, paths and queries.
    ///
    /// What a tool says on purpose stays: [`ToolError::new`], [`ToolError::protocol`], a [`CallToolResult`] of its own.
    /// A `String` that came by `?` does not count as said on purpose, since anything may have been written into it.
    /// The crate's own texts stay too: arguments and `_meta` that do not fit, time that ran out, an [`AskError`].
    ///
    /// ```
    /// use mcp_tasks::{Server, ToolError};
    ///
    /// fn rows(table: &str) -> Result<String, ToolError> {
    ///     if table.is_empty() {
    ///         return Err(ToolError::new("name a table")); // the model reads it
    ///     }
    ///     Ok(std::fs::read_to_string(format!("/srv/tables/{table}"))?) // the model reads a number
    /// }
    ///
    /// let server = Server::new("db").mask_errors();
    /// # assert!(server.check().is_ok() && rows("x").is_err());
    /// ```
    ///
    /// [`CallToolResult`]: crate::CallToolResult
    /// [`AskError`]: crate::AskError
    pub fn mask_errors(self) -> Self {
        self.change(|setup| setup.mask_errors = true)
    }

    /// Takes HTTP requests that name `host` as their host, with or without a port. By default only this
    /// machine's own names are taken.
    ///
    /// See [the guide](crate::guide::http#who-gets-in) for what is let in, and who.
    #[cfg(feature = "http")]
    pub fn allow_host(self, host: impl AsRef<str>) -> Self {
        self.change(|setup| setup.allowed.allow_host(host.as_ref()))
    }

    /// Takes HTTP requests whatever host they name: for servers behind a proxy that checks it.
    ///
    /// See [the guide](crate::guide::http#who-gets-in) for what is let in, and who.
    #[cfg(feature = "http")]
    pub fn allow_any_host(self) -> Self {
        self.change(|setup| setup.allowed.allow_any_host())
    }

    /// Takes HTTP requests that a browser makes for pages of `origin`, such as `https://app.example.com`.
    ///
    /// See [the guide](crate::guide::http#who-gets-in) for what is let in, and who.
    #[cfg(feature = "http")]
    pub fn allow_origin(self, origin: impl AsRef<str>) -> Self {
        self.change(|setup| setup.allowed.allow_origin(origin.as_ref()))
    }

    /// Asks every HTTP caller for a bearer token and checks it with `verify`, which gets the token and says who
    /// it is. Callers without a good one are answered with 401 or 403 and told where to get it; the
    /// document that says so is served at `/.well-known/oauth-protected-resource`.
    ///
    /// Whoever authenticates in a layer of their own puts a [`Principal`](crate::Principal) into the request's extensions
    /// instead.
    ///
    /// ```
    /// use mcp_tasks::{AuthError, Identity, Principal, ProtectedResource, Server};
    ///
    /// let resource = ProtectedResource::new("https://api.example.com/mcp")
    ///     .authorization_server("https://login.example.com");
    /// let server = Server::new("ops").bearer_auth(resource, async |token: String| {
    ///     // Check signature, expiry and audience here.
    ///     match token.as_str() {
    ///         "secret" => Ok(Identity::new(Principal::new("https://login.example.com", "ann"))),
    ///         _ => Err(AuthError::Invalid),
    ///     }
    /// });
    /// ```
    #[cfg(feature = "http")]
    pub fn bearer_auth<F>(
        self,
        resource: ProtectedResource,
        verify: impl Fn(String) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Identity, AuthError>> + Send + 'static,
    {
        let verifier = Arc::new(verify);
        self.change(|setup| setup.auth.bearer = Some(Bearer { resource, verifier }))
    }

    /// Refuses HTTP requests for which nobody said who the caller is: a guard against a forgotten layer.
    ///
    /// See [the guide](crate::guide::http#which-way-to-serve) for it behind a layer.
    #[cfg(feature = "http")]
    pub fn require_principal(self) -> Self {
        self.change(|setup| setup.auth.principal_required = true)
    }

    #[cfg(feature = "http")]
    pub(crate) fn auth(&self) -> Auth {
        self.setup.auth.clone()
    }

    #[cfg(feature = "http")]
    pub(crate) fn allowed(&self) -> Allowed {
        self.setup.allowed.clone()
    }

    /// Does every start-up check without serving.
    ///
    /// # Errors
    /// One sentence for each thing wrong: two tools of one name, a `State<T>` nobody gave, a schema that no
    /// client would take, a policy for an unknown tool.
    pub fn check(&self) -> Result<(), Error> {
        self.core().map(drop)
    }

    /// What runs this server; made on first use and shared by clones.
    pub(crate) fn core(&self) -> Result<Arc<Core>, Error> {
        if let Some(core) = self.core.get() {
            return Ok(Arc::clone(core));
        }
        let core = self.setup.build()?;
        Ok(Arc::clone(self.core.get_or_init(|| core)))
    }

    fn change(mut self, change: impl FnOnce(&mut Setup)) -> Self {
        change(&mut self.setup);
        // What already runs was built from another setup; clones of it go on.
        self.core = Arc::default();
        self
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("name", &self.setup.name)
            .finish_non_exhaustive()
    }
}
