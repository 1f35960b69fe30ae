//! What a running server consists of.

use std::collections::HashMap;
#[cfg(feature = "testing")]
use std::sync::Weak;
use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;

use super::around::Around;
use super::build::Setup;
use super::caller::{Caller, Visible};
use super::catalog::Catalog;
use super::gate::Gates;
use super::live::Live;
use super::methods::Methods;
use super::park::Parked;
#[cfg(feature = "testing")]
use super::peer::Peer;
use super::run::Run;
use super::winding_down::WindingDown;
use super::{Limits, Policy};
use crate::context::typemap::TypeMap;
use crate::model::cancel::CancelReason;
use crate::model::capability::Capability;
use crate::model::clock::Clock;
use crate::model::task::{TaskId, TaskStatus};
use crate::model::tool::{TaskSupport, ToolDef};
use crate::task::record::Record;
use crate::task::{Engine, EngineLimits, MemoryStore};
use crate::tool::extract::Requirements;
use crate::tool::promises::Promises;
use crate::tool::runtime::RuntimeTool;
use crate::tool::{BoxFuture, Call, Faults, Output, ToolEntry};
use crate::wire::{Offer, Revision, ServerInfo};

/// What runs when a tool is called.
pub(super) enum Body {
    Function(ToolEntry),
    Runtime(Arc<RuntimeTool>),
}

/// A tool, ready to be called.
pub(crate) struct BuiltTool {
    pub(super) name: Arc<str>,
    pub(super) def: ToolDef,
    pub(super) body: Body,
    /// What it cannot do without.
    pub(super) needs: Vec<Capability>,
    pub(super) policy: Policy,
    /// Takes a `CancellationToken`, or can look at `Context::check` from its own thread.
    pub(super) winds_down: bool,
    pub(super) permits: Option<Arc<Semaphore>>,
    promises: Promises,
}

impl BuiltTool {
    pub(super) fn new(
        def: ToolDef,
        entry: ToolEntry,
        policy: Policy,
        requirements: &Requirements,
    ) -> Self {
        let needs = [
            (entry.spec.needs_elicitation, Capability::Elicitation),
            (entry.spec.needs_sampling, Capability::Sampling),
        ];
        let needs = needs
            .into_iter()
            .filter_map(|(needed, capability)| needed.then_some(capability));
        let winds_down = requirements.cooperative || policy.blocking;
        Self::of(
            def,
            Body::Function(entry),
            needs.collect(),
            policy,
            winds_down,
        )
    }

    /// `Err` says why no client would take it.
    pub(super) fn runtime(tool: &Arc<RuntimeTool>, policy: Policy) -> Result<Self, String> {
        let def = tool.define()?;
        let promises = Promises::of_runtime(&def)?;
        let body = Body::Runtime(Arc::clone(tool));
        let built = Self::of(def, body, tool.needs.clone(), policy, false);
        Ok(built.with_promises(promises))
    }

    pub(super) fn with_promises(mut self, promises: Promises) -> Self {
        self.promises = promises;
        self
    }

    fn of(
        def: ToolDef,
        body: Body,
        needs: Vec<Capability>,
        policy: Policy,
        winds_down: bool,
    ) -> Self {
        Self {
            name: def.name.as_str().into(),
            permits: policy.max_running.map(permits),
            winds_down,
            needs,
            promises: Promises::default(),
            def,
            body,
            policy,
        }
    }

    /// Decodes the arguments; `Err` means that no line of the tool has run.
    pub(super) fn start(&self, call: &Call<'_>) -> Result<BoxFuture<'static, Output>, Faults> {
        let started = match &self.body {
            Body::Function(entry) => (entry.start)(call),
            Body::Runtime(tool) => tool.start(call),
        };
        self.promises.kept(call, started)
    }
}

/// At least one; as many as there can be for a limit that is none.
fn permits(runs: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(runs.clamp(1, Semaphore::MAX_PERMITS)))
}

/// What a server's tables hold at one moment.
///
/// [`tables`](crate::testing::tables) gives them; [the guide](crate::guide::testing#what-else-to-test) says what for.
#[cfg(feature = "testing")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tables {
    /// Tasks that have not ended.
    pub live_tasks: usize,
    /// Tasks that have ended and are kept.
    pub kept_tasks: usize,
    /// Waits for a change of a task.
    pub watches: usize,
    /// Tasks that this process runs.
    pub task_runs: usize,
    /// Inline calls that wait for their client to come back.
    pub parked_calls: usize,
    /// Calls of tools that have not ended: a cancelled one may take a while to wind down.
    pub runs: usize,
    /// Connections that are open, or closed and still held by something.
    pub connections: usize,
    /// Requests that have no response yet.
    pub requests: usize,
    /// Requests to clients that have no response yet.
    pub questions: usize,
    /// What is counted against the limits of the server as a whole: requests, subscriptions, parked calls and sessions.
    pub counted: usize,
}

/// What a running server consists of; shared by every connection.
pub(crate) struct Core {
    pub(super) limits: Limits,
    pub(crate) gates: Gates,
    pub(super) offer: Offer,
    pub(super) engine: Arc<Engine>,
    pub(super) states: Arc<TypeMap>,
    /// Methods that the application answers.
    pub(super) methods: Methods,
    pub(super) blocking: Arc<Semaphore>,
    /// The tools that never change.
    pub(super) fixed: Arc<Catalog>,
    /// Where others come and go.
    pub(super) live: Option<Live>,
    /// Put round every call, outermost first.
    pub(super) around: Vec<Around>,
    pub(super) visible: Option<Visible>,
    /// Errors that tools did not make for the model are kept from it.
    pub(super) mask_errors: bool,
    /// How many runs there are.
    #[cfg(feature = "testing")]
    pub(crate) runs: tokio::sync::watch::Sender<usize>,
    /// Of all connections, those included that are gone.
    pub(super) winding_down: WindingDown,
    /// Runs of this process that are tasks.
    pub(super) task_runs: Mutex<HashMap<TaskId, Arc<Run>>>,
    /// Inline calls that wait for their client to come back.
    pub(super) parked: Mutex<HashMap<String, Parked>>,
    /// Every connection that something holds.
    #[cfg(feature = "testing")]
    peers: Mutex<Vec<Weak<Peer>>>,
}

impl Core {
    pub(super) fn new(setup: &Setup, tools: Vec<BuiltTool>) -> Arc<Self> {
        let limits = setup.limits.clone();
        // A tool that comes later may be a task; what the server offers cannot change then.
        let tasks = setup.live.is_some()
            || tools
                .iter()
                .any(|tool| tool.policy.task != TaskSupport::Never);
        let fixed = Arc::new(Catalog::new(
            tools.into_iter().map(Arc::new).collect(),
            tasks,
        ));
        let clock = Clock::new();
        let store = setup
            .store
            .clone()
            .unwrap_or_else(|| Arc::new(MemoryStore::default()));
        let engine_limits = EngineLimits {
            live: limits.live_tasks,
            live_per_principal: limits.live_tasks_per_principal,
            kept_bytes: limits.kept_bytes,
            max_keep: limits.max_keep,
        };
        Arc::new(Self {
            offer: Offer {
                info: ServerInfo {
                    name: setup.name.clone(),
                    title: setup.title.clone(),
                    version: setup.version.clone().unwrap_or_default(),
                },
                instructions: setup.instructions.clone(),
                capabilities: setup.capabilities.clone(),
                tools_change: setup.live.is_some(),
                tools_vary: setup.visible.is_some(),
                tasks,
                // Told to each client by itself: it depends on who it is.
                task_list: false,
            },
            engine: Engine::new(store, clock, engine_limits),
            states: Arc::new(setup.states.clone()),
            methods: setup.methods.clone(),
            blocking: permits(limits.blocking_threads),
            live: setup.live.is_some().then(|| Live::new(&fixed)),
            fixed,
            around: setup.around.clone(),
            visible: setup.visible.clone(),
            mask_errors: setup.mask_errors,
            task_runs: Mutex::default(),
            parked: Mutex::default(),
            #[cfg(feature = "testing")]
            peers: Mutex::default(),
            winding_down: WindingDown::default(),
            #[cfg(feature = "testing")]
            runs: tokio::sync::watch::Sender::new(0),
            gates: Gates::new(&limits),
            limits,
        })
    }

    pub(super) fn tool(&self, name: &str) -> Option<Arc<BuiltTool>> {
        if let Some(tool) = self.fixed.get(name) {
            return Some(Arc::clone(tool));
        }
        self.live.as_ref()?.now().get(name).cloned()
    }

    /// The tool of this name, if this caller may know of it.
    pub(super) fn tool_for(
        &self,
        name: &str,
        caller: impl FnOnce() -> Caller,
    ) -> Option<Arc<BuiltTool>> {
        let tool = self.tool(name)?;
        match &self.visible {
            Some(visible) => visible(&caller(), name).then_some(tool),
            None => Some(tool),
        }
    }

    /// The `tools` array that this caller may see.
    pub(super) fn with_tool_list<T>(
        &self,
        revision: Revision,
        caller: impl FnOnce() -> Caller,
        take: impl FnOnce(&str) -> T,
    ) -> T {
        let catalog = self.catalog();
        match &self.visible {
            Some(visible) => {
                let caller = caller();
                take(&catalog.list_of(revision, |name| visible(&caller, name)))
            }
            None => take(catalog.list(revision)),
        }
    }

    /// The tools of this moment.
    pub(super) fn catalog(&self) -> Arc<Catalog> {
        match &self.live {
            Some(live) => live.now(),
            None => Arc::clone(&self.fixed),
        }
    }

    pub(super) fn info(&self) -> &ServerInfo {
        &self.offer.info
    }

    pub(super) fn task_run(&self, id: &TaskId) -> Option<Arc<Run>> {
        self.task_runs.lock().expect(POISON).get(id).cloned()
    }

    /// The only client there will ever be is gone: every question ends.
    pub(crate) fn nobody_answers(&self) {
        for run in self.lasting_runs() {
            run.nobody_answers();
        }
    }

    /// Stops every run that outlives its connection, and waits until all have wound down, at most the grace
    /// that each of them has.
    pub(crate) async fn shut_down(&self) {
        let mut runs = self.lasting_runs();
        for run in &runs {
            run.stop(CancelReason::Shutdown);
        }
        runs.extend(self.winding_down.left());
        self.wound_down(&runs).await;
    }

    /// Waits until stopped runs have ended. A store that hangs does not keep them longer than their grace.
    pub(super) async fn wound_down(&self, runs: &[Arc<Run>]) {
        let grace = runs.iter().map(|run| run.tool.policy.cancel_grace).max();
        let ended = async {
            for run in runs {
                run.ended().await;
            }
        };
        let most = grace.unwrap_or_default().saturating_add(self.drain());
        let _ = tokio::time::timeout(most, ended).await;
    }

    /// Whether the reply that makes this task has left: nothing may name the task before.
    pub(super) async fn is_announced(&self, record: &Record) -> bool {
        let created = |record: &Record| record.status == TaskStatus::Created;
        match self.task_run(&record.id) {
            Some(run) => run.is_task(),
            // Not yet a run's, or the run has ended since the record was read.
            None if created(record) && self.engine.runs(record) => {
                let now = self.engine.get(&record.owner, &record.id).await;
                now.is_ok_and(|record| !created(&record))
            }
            None => true,
        }
    }

    /// Runs that no request in flight holds: tasks and parked calls.
    fn lasting_runs(&self) -> Vec<Arc<Run>> {
        let mut runs: Vec<Arc<Run>> = self
            .task_runs
            .lock()
            .expect(POISON)
            .values()
            .cloned()
            .collect();
        runs.extend(
            self.parked
                .lock()
                .expect(POISON)
                .values()
                .map(|parked| Arc::clone(&parked.run)),
        );
        runs
    }
}

/// No lock of the server is held while code that may panic runs.
pub(super) const POISON: &str = "no panic while a lock is held";

impl Core {
    #[cfg(feature = "testing")]
    pub(super) fn connected(&self, peer: &Arc<Peer>) {
        let mut peers = self.peers.lock().expect(POISON);
        // Before it grows: connections that are over make room.
        if peers.len() == peers.capacity() {
            peers.retain(|peer| peer.strong_count() > 0);
        }
        peers.push(Arc::downgrade(peer));
    }

    /// The tools of this moment, as they are told of.
    #[cfg(feature = "testing")]
    pub(crate) fn definitions(&self) -> Vec<ToolDef> {
        let catalog = self.catalog();
        catalog
            .tools()
            .iter()
            .map(|tool| tool.def.clone())
            .collect()
    }

    /// What is left in every table that a run could be forgotten in.
    #[cfg(feature = "testing")]
    pub(crate) fn tables(&self) -> Tables {
        let engine = self.engine.counts();
        let peers: Vec<Arc<Peer>> = {
            let peers = self.peers.lock().expect(POISON);
            peers.iter().filter_map(Weak::upgrade).collect()
        };
        Tables {
            live_tasks: engine.live,
            kept_tasks: engine.kept,
            watches: engine.watches,
            task_runs: self.task_runs.lock().expect(POISON).len(),
            parked_calls: self.parked.lock().expect(POISON).len(),
            runs: *self.runs.borrow(),
            connections: peers.len(),
            requests: peers.iter().map(|peer| peer.unanswered()).sum(),
            questions: peers.iter().map(|peer| peer.requests.count()).sum(),
            counted: self.gates.count(),
        }
    }

    #[cfg(feature = "http")]
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Bytes of one line of input.
    pub(crate) fn line_bytes(&self) -> usize {
        self.limits.line_bytes
    }

    /// How long accepted calls may finish after the input has ended.
    pub(crate) fn drain(&self) -> std::time::Duration {
        self.limits.drain
    }
}

#[cfg(all(test, feature = "testing", feature = "macros"))]
mod tests;
