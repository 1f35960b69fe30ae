//! What a running server consists of.

mod ending;
#[cfg(feature = "testing")]
mod tables;

use std::collections::HashMap;
#[cfg(feature = "testing")]
use std::sync::Weak;
use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;

#[cfg(feature = "testing")]
pub use self::tables::Tables;
use super::around::Around;
use super::at_once::Quick;
use super::build::Setup;
use super::caller::{Caller, Visible};
use super::catalog::Catalog;
use super::gate::Gates;
use super::live::Live;
use super::methods::Methods;
use super::park::Parked;
#[cfg(feature = "testing")]
use super::peer::Peer;
use super::task_runs::TaskRuns;
use super::task_tools::Tasks;
use super::weak_runs::WeakRuns;
use super::{Limits, Policy};
use crate::context::Shared;
use crate::model::capability::Capability;
use crate::model::task::TaskStatus;
use crate::model::tool::{TaskSupport, ToolDef};
use crate::task::Engine;
use crate::task::record::Record;
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
    pub(super) quick: Quick,
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
            quick: Quick::default(),
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

/// What a running server consists of; shared by every connection.
pub(crate) struct Core {
    pub(super) limits: Limits,
    pub(crate) gates: Gates,
    pub(super) offer: Offer,
    /// There may be tasks.
    pub(super) tasks: Option<Tasks>,
    /// Every lookup of a task is done when it is first polled.
    pub(super) keeps_tasks_in_memory: bool,
    pub(super) shared: Shared,
    /// Methods that the application answers.
    pub(super) methods: Methods,
    /// The tools that never change.
    pub(super) fixed: Arc<Catalog>,
    /// Where others come and go.
    pub(super) live: Option<Live>,
    /// Put round every call.
    pub(super) around: Option<Around>,
    pub(super) visible: Option<Visible>,
    /// Errors that tools did not make for the model are kept from it.
    pub(super) mask_errors: bool,
    /// How many runs there are.
    #[cfg(feature = "testing")]
    pub(crate) runs: tokio::sync::watch::Sender<usize>,
    /// Cancelled calls whose bodies may still wind down, of all connections, those included that are gone: no request
    /// and no task leads to them any more.
    pub(super) winding_down: WeakRuns,
    /// Runs of this process that are tasks.
    pub(super) task_runs: Arc<TaskRuns>,
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
        let task_runs = Arc::<TaskRuns>::default();
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
            tasks: setup
                .tasks
                .map(|tools| Tasks::new(tools, setup, &task_runs)),
            keeps_tasks_in_memory: setup.store.is_none(),
            shared: Shared {
                states: setup.states.clone(),
                blocking: permits(limits.blocking_threads),
                max_wait: limits.max_wait,
            },
            methods: setup.methods.clone(),
            live: setup
                .live
                .as_ref()
                .map(|(_, table)| Live::new(table, &fixed)),
            fixed,
            around: setup.around.clone(),
            visible: setup.visible.clone(),
            mask_errors: setup.mask_errors,
            task_runs,
            parked: Mutex::default(),
            #[cfg(feature = "testing")]
            peers: Mutex::default(),
            winding_down: WeakRuns::default(),
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

    /// What there is where anything is a task.
    pub(super) fn tasks(&self) -> &Tasks {
        self.tasks
            .as_ref()
            .expect("tools that may be tasks bring it")
    }

    pub(super) fn engine(&self) -> &Engine {
        &self.tasks().engine
    }

    /// Whether the reply that makes this task has left: nothing may name the task before.
    pub(super) async fn is_announced(&self, record: &Record) -> bool {
        let created = |record: &Record| record.status == TaskStatus::Created;
        match self.task_runs.get(&record.id) {
            Some(run) => run.is_task(),
            // Not yet a run's, or the run has ended since the record was read.
            None if created(record) && self.engine().runs(record) => {
                let now = self.engine().get(&record.owner, &record.id).await;
                now.is_ok_and(|record| !created(&record))
            }
            None => true,
        }
    }
}

impl Core {
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
