//! What a running server consists of.

use std::collections::HashMap;
#[cfg(feature = "testing")]
use std::sync::Weak;
use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;

use super::build::Setup;
use super::park::Parked;
#[cfg(feature = "testing")]
use super::peer::Peer;
use super::run::Run;
use super::{Limits, Policy};
use crate::context::typemap::TypeMap;
use crate::model::cancel::CancelReason;
use crate::model::clock::Clock;
use crate::model::task::{TaskId, TaskStatus};
use crate::model::tool::{TaskSupport, ToolDef};
use crate::task::record::Record;
use crate::task::{Engine, EngineLimits, MemoryStore};
use crate::tool::ToolEntry;
use crate::tool::extract::Requirements;
use crate::wire::{Offer, Revision, ServerInfo, legacy, modern};

/// A tool, ready to be called.
pub(crate) struct BuiltTool {
    pub(super) name: Arc<str>,
    pub(super) def: ToolDef,
    pub(super) entry: ToolEntry,
    pub(super) policy: Policy,
    /// Takes a `CancellationToken`, or can look at `Context::check` from its own thread.
    pub(super) winds_down: bool,
    pub(super) permits: Option<Arc<Semaphore>>,
}

impl BuiltTool {
    pub(super) fn new(
        def: ToolDef,
        entry: ToolEntry,
        policy: Policy,
        requirements: &Requirements,
    ) -> Self {
        Self {
            name: def.name.as_str().into(),
            permits: policy.max_running.map(permits),
            winds_down: requirements.cooperative || policy.blocking,
            def,
            entry,
            policy,
        }
    }
}

/// At least one; as many as there can be for a limit that is none.
fn permits(runs: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(runs.clamp(1, Semaphore::MAX_PERMITS)))
}

/// What a server's tables hold at one moment.
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
    /// Connections that are open, or closed and still held by something.
    pub connections: usize,
    /// Requests that have no response yet.
    pub requests: usize,
    /// Requests to clients that have no response yet.
    pub questions: usize,
}

/// What a running server consists of; shared by every connection.
pub(crate) struct Core {
    pub(super) limits: Limits,
    pub(super) offer: Offer,
    pub(super) engine: Arc<Engine>,
    pub(super) states: Arc<TypeMap>,
    pub(super) blocking: Arc<Semaphore>,
    tools: HashMap<Arc<str>, Arc<BuiltTool>>,
    /// The `tools` array of each revision, rendered once.
    lists: [String; 4],
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
        let tasks = tools
            .iter()
            .any(|tool| tool.policy.task != TaskSupport::Never);
        let defs: Vec<&ToolDef> = tools.iter().map(|tool| &tool.def).collect();
        let legacy = |revision| legacy::tools(&defs, revision, tasks);
        let lists = [
            legacy(Revision::V2025_03_26),
            legacy(Revision::V2025_06_18),
            legacy(Revision::V2025_11_25),
            modern::tools(&defs),
        ];
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
                tasks,
                // stdio has one user, so that listing tells nobody of another's tasks.
                task_list: true,
            },
            engine: Engine::new(store, clock, engine_limits),
            states: Arc::new(setup.states.clone()),
            blocking: permits(limits.blocking_threads),
            tools: tools
                .into_iter()
                .map(|tool| (Arc::clone(&tool.name), Arc::new(tool)))
                .collect(),
            lists,
            task_runs: Mutex::default(),
            parked: Mutex::default(),
            #[cfg(feature = "testing")]
            peers: Mutex::default(),
            limits,
        })
    }

    pub(super) fn tool(&self, name: &str) -> Option<&Arc<BuiltTool>> {
        self.tools.get(name)
    }

    pub(super) fn tool_list(&self, revision: Revision) -> &str {
        &self.lists[revision as usize]
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
        let runs = self.lasting_runs();
        for run in &runs {
            run.stop(CancelReason::Shutdown);
        }
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
        peers.retain(|peer| peer.strong_count() > 0);
        peers.push(Arc::downgrade(peer));
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
            connections: peers.len(),
            requests: peers.iter().map(|peer| peer.unanswered()).sum(),
            questions: peers.iter().map(|peer| peer.requests.count()).sum(),
        }
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
