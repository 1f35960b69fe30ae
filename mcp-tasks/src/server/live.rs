//! Tools that come and go while the server runs.

use std::fmt;
use std::future::pending;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use tokio::sync::watch;

use super::catalog::Catalog;
use super::core::{Body, BuiltTool, Core};
use super::outlet::Outlet;
use super::{Error, Peer, Policy};
use crate::model::BoxFuture;
use crate::model::concurrency::lock;
use crate::tool::runtime::RuntimeTool;
use crate::wire::envelope::RequestId;
use crate::wire::{legacy, modern};

/// A set of tools that can change while servers offer it. Clones are the same set, so that a tool may hold one as
/// its `State` and change what the server offers.
///
/// Clients are told of a change: sessions of the revisions up to 2025-11-25 by `notifications/tools/list_changed`,
/// those of 2026-07-28 where they listen for it. Calls that run go on, whatever becomes of their tool. A server with
/// such a set always offers tasks, since any later tool may be one.
///
/// ```
/// use mcp_tasks::prelude::*;
/// use mcp_tasks::{LiveTools, RuntimeTool};
///
/// /// Starts to offer a table.
/// #[mcp_tool]
/// async fn open_table(table: String, State(tables): State<LiveTools>) -> Result<(), mcp_tasks::Error> {
///     let text = format!("Reads {table}.");
///     tables.add(RuntimeTool::new(table, text, |_, _| async { "a row" }))
/// }
///
/// let tables = LiveTools::new();
/// let server = Server::new("db")
///     .tools(tools![open_table])
///     .live_tools(&tables)
///     .state(tables.clone());
/// assert!(server.check().is_ok());
/// assert!(tables.add(RuntimeTool::new("open_table", "Taken.", |_, _| async {})).is_err());
/// ```
#[derive(Clone, Default)]
pub struct LiveTools(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    tools: Vec<Arc<RuntimeTool>>,
    servers: Vec<Weak<Core>>,
}

impl LiveTools {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool, in place of one of the same name that was added before.
    ///
    /// # Errors
    /// If no client would take its definition, or a server that runs, or was [`check`](crate::Server::check)ed, has a
    /// tool of this name of its own. The set stays as it was.
    pub fn add(&self, tool: RuntimeTool) -> Result<(), Error> {
        self.change(|tools| {
            let tool = Arc::new(tool);
            match tools.iter_mut().find(|other| other.name == tool.name) {
                Some(other) => *other = tool,
                None => tools.push(tool),
            }
        })
    }

    /// Takes a tool out; `false` if there is none of this name.
    pub fn remove(&self, name: &str) -> bool {
        let mut found = false;
        let removed = self.change(|tools| {
            let before = tools.len();
            tools.retain(|tool| tool.name != name);
            found = tools.len() < before;
        });
        // What was fine with the tool is fine without it.
        found && removed.is_ok()
    }

    /// Makes these the whole set, as one change.
    ///
    /// # Errors
    /// As those of [`add`](Self::add), and if two of them have one name.
    pub fn replace(&self, tools: impl IntoIterator<Item = RuntimeTool>) -> Result<(), Error> {
        let new: Vec<_> = tools.into_iter().map(Arc::new).collect();
        self.change(|tools| *tools = new)
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Arc<RuntimeTool>>)) -> Result<(), Error> {
        let mut state = lock(&self.0);
        let mut tools = state.tools.clone();
        change(&mut tools);
        if same(&tools, &state.tools) {
            return Ok(());
        }
        state.servers.retain(|server| server.strong_count() > 0);
        let mut next = Vec::new();
        let mut faults = faults(&tools);
        for server in state.servers.iter().filter_map(Weak::upgrade) {
            match server.with_live(&tools) {
                Ok(catalog) => next.push((server, catalog)),
                Err(more) => faults.extend(more),
            }
        }
        if !faults.is_empty() {
            faults.dedup();
            return Err(Error::setup(faults));
        }
        state.tools = tools;
        for (server, catalog) in next {
            if let Some(live) = &server.live {
                live.become_catalog(catalog);
            }
        }
        Ok(())
    }

    /// Gives a new server what the set holds now, and lets it hear of every later change.
    fn attach(&self, core: Arc<Core>) -> Result<Arc<Core>, Error> {
        let mut state = lock(&self.0);
        let catalog = core.with_live(&state.tools).map_err(Error::setup)?;
        if let Some(live) = &core.live {
            live.become_catalog(catalog);
        }
        state.servers.push(Arc::downgrade(&core));
        Ok(core)
    }
}

/// What a server needs for such a set, which the set brings along: the linker keeps it from programs that have none.
pub(super) struct LiveTable {
    pub(super) attach: fn(&LiveTools, Arc<Core>) -> Result<Arc<Core>, Error>,
    tell: Tell,
}

pub(super) static LIVE: LiveTable = LiveTable {
    attach: LiveTools::attach,
    tell,
};

fn same(a: &[Arc<RuntimeTool>], b: &[Arc<RuntimeTool>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
}

/// What is wrong with the set whatever the server; a set that no server offers yet is checked too.
fn faults(tools: &[Arc<RuntimeTool>]) -> Vec<String> {
    let faulty = tools.iter().filter_map(|tool| tool.define().err());
    let twice = tools.iter().enumerate().filter_map(|(index, tool)| {
        let before = tools[..index].iter().any(|other| other.name == tool.name);
        before.then(|| named_twice(&tool.name))
    });
    faulty.chain(twice).collect()
}

pub(super) fn named_twice(name: &str) -> String {
    format!("two tools are named `{name}`; give one of them another name")
}

impl fmt::Debug for LiveTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = lock(&self.0);
        f.debug_list()
            .entries(state.tools.iter().map(|tool| &tool.name))
            .finish()
    }
}

/// What one server holds of a changing set.
pub(super) struct Live {
    table: &'static LiveTable,
    /// All its tools, those that never change first.
    now: RwLock<Arc<Catalog>>,
    changes: watch::Sender<()>,
    /// Legacy sessions, which hear of changes unasked.
    sessions: Mutex<Vec<Weak<Peer>>>,
}

impl Live {
    pub(super) fn new(table: &'static LiveTable, fixed: &Arc<Catalog>) -> Self {
        Self {
            table,
            now: RwLock::new(Arc::clone(fixed)),
            changes: watch::Sender::new(()),
            sessions: Mutex::default(),
        }
    }

    pub(super) fn now(&self) -> Arc<Catalog> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Hears of every change from now on.
    pub(super) fn listen(&self) -> Listening {
        Listening {
            changes: self.changes.subscribe(),
            tell: self.table.tell,
        }
    }

    /// Lets a session hear of changes for as long as it lives.
    pub(super) fn tell(&self, session: &Arc<Peer>) {
        let mut sessions = lock(&self.sessions);
        let session = Arc::downgrade(session);
        if sessions.iter().any(|other| other.ptr_eq(&session)) {
            return;
        }
        // Before it grows: sessions that are over make room.
        if sessions.len() == sessions.capacity() {
            sessions.retain(|session| session.strong_count() > 0);
        }
        sessions.push(session);
    }

    fn become_catalog(&self, catalog: Catalog) {
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(catalog);
        self.changes.send_replace(());
        let sessions: Vec<Arc<Peer>> = {
            let mut sessions = lock(&self.sessions);
            sessions.retain(|session| session.strong_count() > 0);
            sessions.iter().filter_map(Weak::upgrade).collect()
        };
        for session in sessions {
            session.home.send(legacy::tools_list_changed());
        }
    }
}

/// What listens for changes.
pub(super) struct Listening {
    changes: watch::Receiver<()>,
    tell: Tell,
}

impl Listening {
    /// Tells a subscription of the next change, once there is room for that.
    pub(super) fn tell_next<'a>(
        &'a mut self,
        outlet: &'a dyn Outlet,
        subscription: &'a RequestId,
    ) -> BoxFuture<'a, ()> {
        (self.tell)(&mut self.changes, outlet, subscription)
    }
}

type Tell =
    for<'a> fn(&'a mut watch::Receiver<()>, &'a dyn Outlet, &'a RequestId) -> BoxFuture<'a, ()>;

/// Once for however many changes came in between.
fn tell<'a>(
    changes: &'a mut watch::Receiver<()>,
    outlet: &'a dyn Outlet,
    subscription: &'a RequestId,
) -> BoxFuture<'a, ()> {
    Box::pin(async move {
        if changes.changed().await.is_err() {
            // The server is gone, and whoever asked for this with it.
            return pending().await;
        }
        outlet.room().await;
        outlet.send(modern::tools_list_changed(subscription));
    })
}

impl Core {
    /// The tools that never change and these. A tool that is there already stays the one it is, with the runs it
    /// counts and the calls it parked.
    fn with_live(&self, tools: &[Arc<RuntimeTool>]) -> Result<Catalog, Vec<String>> {
        let now = self.catalog();
        let mut all = self.fixed.tools().to_vec();
        let mut faults = Vec::new();
        for tool in tools {
            if self.fixed.get(&tool.name).is_some() {
                faults.push(named_twice(&tool.name));
                continue;
            }
            let same = |there: &&Arc<BuiltTool>| matches!(&there.body, Body::Runtime(body) if Arc::ptr_eq(body, tool));
            if let Some(there) = now.get(&tool.name).filter(same) {
                all.push(Arc::clone(there));
                continue;
            }
            let policy = Policy::new(&tool.policy, &self.limits).settled(&self.limits);
            match BuiltTool::runtime(tool, policy) {
                Ok(tool) => all.push(Arc::new(tool)),
                Err(fault) => faults.push(fault),
            }
        }
        if faults.is_empty() {
            Ok(Catalog::new(all, self.offer.tasks))
        } else {
            Err(faults)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::outlet::Answer;
    use super::*;
    use crate::wire::Frame;

    /// Whatever is sent brings the next change about.
    struct Restless {
        changes: watch::Sender<()>,
        sent: AtomicUsize,
    }

    impl Outlet for Restless {
        fn send(&self, _: Frame) -> bool {
            self.changes.send_replace(());
            self.sent.fetch_add(1, Ordering::Relaxed) < 100
        }
        fn is_open(&self) -> bool {
            true
        }
        fn keeps_up(&self) -> bool {
            true
        }
        fn room(&self) -> BoxFuture<'_, ()> {
            Box::pin(async {})
        }
        fn respond(&self, _: Answer) {}
    }

    #[tokio::test]
    async fn a_listener_is_told_of_one_change_at_a_time() {
        let outlet = Restless {
            changes: watch::Sender::new(()),
            sent: AtomicUsize::new(0),
        };
        let mut listening = Listening {
            changes: outlet.changes.subscribe(),
            tell,
        };
        outlet.changes.send_replace(());
        let subscription = RequestId::Number(1.into());
        // In between its subscription may have been cancelled.
        listening.tell_next(&outlet, &subscription).await;
        assert_eq!(outlet.sent.load(Ordering::Relaxed), 1);
    }
}
