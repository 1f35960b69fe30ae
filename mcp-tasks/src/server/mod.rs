//! The server: its builder, and what joins tools, tasks and wires while it runs.

mod build;
mod call;
mod core;
mod error;
mod last_meta;
mod legacy;
mod limits;
mod listen;
mod modern;
pub(crate) mod outbox;
mod park;
mod peer;
mod policy;
mod reply;
mod requests;
mod run;
mod tasks;

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

pub(crate) use self::core::Core;
#[cfg(feature = "testing")]
pub use self::core::Tables;
pub use self::error::Error;
pub use self::limits::Limits;
pub(crate) use self::peer::Peer;
pub use self::policy::Policy;

use self::build::Setup;
#[cfg(feature = "unstable-store")]
use crate::task::TaskStore;
use crate::tool::Tools;

/// An MCP server: tools, and everything needed to run them for any client.
///
/// Built by value, then served; clones share one set of running tasks.
///
/// ```
/// use mcp_tasks::Server;
///
/// let server = Server::new("ops").version("1.2.0").instructions("Deploys things.");
/// assert!(server.check().is_ok());
/// ```
///
/// Clients of 2026-07-28 find that revision by `server/discover`, whose `supportedVersions` lists nothing older: the
/// revisions 2025-11-25, 2025-06-18 and 2025-03-26 are agreed on by `initialize`.
#[derive(Clone)]
pub struct Server {
    setup: Arc<Setup>,
    core: Arc<OnceLock<Arc<Core>>>,
}

impl Server {
    /// A server that calls itself `name`, without tools so far.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            setup: Arc::new(Setup::new(name.into())),
            core: Arc::default(),
        }
    }

    /// Adds the tools of a `tools![]` list. The first list's crate gives the server its version, unless
    /// [`version`](Self::version) does.
    pub fn tools(self, tools: Tools) -> Self {
        self.change(|setup| setup.tools(tools))
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
    pub fn state<T: Any + Clone + Send + Sync>(self, value: T) -> Self {
        self.change(|setup| setup.states.insert(value))
    }

    /// Replaces the default limits.
    pub fn limits(self, limits: Limits) -> Self {
        self.change(|setup| setup.limits = limits)
    }

    /// Changes how runs of the tool `name` are bounded, over what its attribute says. An unknown name is an
    /// error at start-up.
    pub fn configure(
        self,
        name: impl Into<String>,
        change: impl Fn(&mut Policy) + Send + Sync + 'static,
    ) -> Self {
        self.change(|setup| setup.policies.push((name.into(), Arc::new(change))))
    }

    /// Keeps tasks in `store` in place of this process's memory.
    #[cfg(feature = "unstable-store")]
    pub fn store(self, store: impl TaskStore) -> Self {
        self.change(|setup| setup.store = Some(Arc::new(store)))
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
        change(Arc::make_mut(&mut self.setup));
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
