//! What a server does for tools that may be tasks, behind one table.
//!
//! The tools that may be tasks bring the table along, and nothing else names what is in it: the linker keeps all of that from
//! programs that have no such tool, which is a tenth of a small one.

use std::sync::Arc;

use super::build::Setup;
use super::core::BuiltTool;
use super::listen::{self, Follow, Known};
use super::peer::Peer;
use super::reply::Reply;
use super::run::{Plan, TASK_TABLE, TaskTable};
use super::task_runs::TaskRuns;
use super::tasks;
use crate::model::BoxFuture;
use crate::model::clock::Clock;
use crate::model::error::RpcError;
use crate::model::task::TaskId;
use crate::model::tool::TaskSupport;
use crate::task::record::{Event, Record};
use crate::task::{Engine, EngineLimits, MemoryStore, SubmitError};
use crate::tool::{Tool, ToolEntry};
use crate::wire::Revision;
use crate::wire::envelope::Params;
use crate::wire::meta::Meta;

/// What becomes of an event.
pub(super) type Submitted = Result<Arc<Record>, SubmitError>;

type PlanTask =
    fn(&BuiltTool, &Params<'_>, &Meta<'_>, &Peer, Revision) -> Result<Option<Plan>, RpcError>;

/// The table.
pub(crate) struct TaskTools {
    engine: fn(&Setup, Arc<TaskRuns>) -> Arc<Engine>,
    start: fn(&Arc<Engine>),
    submit: for<'a> fn(&'a Engine, &'a TaskId, Event) -> BoxFuture<'a, Submitted>,
    /// The task that a call within a legacy session asks for.
    pub(super) plan: PlanTask,
    /// Answers a method of tasks of 2026-07-28.
    pub(super) modern: fn(Reply, &str, &Params<'_>),
    /// Answers a method of tasks within a legacy session; the last says whether the session may list those of 2025-11-25.
    pub(super) legacy: fn(Reply, &str, &Params<'_>, bool),
    pub(super) known: Known,
    pub(super) follow: Follow,
    pub(super) run: TaskTable,
}

pub(super) static TASK_TOOLS: TaskTools = TaskTools {
    engine,
    start: Engine::start,
    submit: |engine, id, event| Box::pin(engine.submit(id, event)),
    plan: tasks::plan,
    modern: tasks::modern,
    legacy: tasks::legacy,
    known: listen::known,
    follow: listen::follow,
    run: TASK_TABLE,
};

/// A tool as a list holds it, with what its server needs if it may be a task.
pub(crate) const fn entry<T: Tool>() -> ToolEntry {
    match T::SPEC.policy.task {
        TaskSupport::Never => ToolEntry::of::<T>(),
        _ => ToolEntry::of::<T>().needing(&TASK_TOOLS),
    }
}

fn engine(setup: &Setup, runs: Arc<TaskRuns>) -> Arc<Engine> {
    let store = setup
        .store
        .clone()
        .unwrap_or_else(|| Arc::new(MemoryStore::default()));
    let limits = EngineLimits {
        live: setup.limits.live_tasks,
        live_per_principal: setup.limits.live_tasks_per_principal,
        kept_bytes: setup.limits.kept_bytes,
        max_keep: setup.limits.max_keep,
    };
    Engine::new(store, Clock::new(), limits, runs)
}

/// The table in use.
pub(super) struct Tasks {
    pub(super) engine: Arc<Engine>,
    pub(super) tools: &'static TaskTools,
}

impl Tasks {
    pub(super) fn new(tools: &'static TaskTools, setup: &Setup, runs: &Arc<TaskRuns>) -> Self {
        Self {
            engine: (tools.engine)(setup, Arc::clone(runs)),
            tools,
        }
    }

    /// Lets the engine work on the current runtime too.
    pub(super) fn start(&self) {
        (self.tools.start)(&self.engine);
    }

    /// As [`Engine::submit`], for what servers without tasks hold too.
    pub(super) fn submit<'a>(&'a self, id: &'a TaskId, event: Event) -> BoxFuture<'a, Submitted> {
        (self.tools.submit)(&self.engine, id, event)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::{LiveTools, Server};
    use super::*;
    use crate::context::Context;
    use crate::tool::output::IntoOutput;
    use crate::tool::runtime::RuntimeTool;
    use crate::tool::{BoxFuture, Call, Describe, Faults, Output, ToolSpec, Tools};

    struct Idle<const TASK: bool>;

    impl<const TASK: bool> Tool for Idle<TASK> {
        const SPEC: &'static ToolSpec = if TASK {
            &ToolSpec::new("idle", "Does nothing.", &[], "task_tools.rs", 1).task()
        } else {
            &ToolSpec::new("idle", "Does nothing.", &[], "task_tools.rs", 1)
        };

        fn describe(d: &mut Describe) {
            d.output::<()>();
        }

        fn start(_: &Call<'_>) -> Result<BoxFuture<'static, Output>, Faults> {
            Ok(Box::pin(async { ().into_output() }))
        }
    }

    fn has_tasks(server: &Server) -> bool {
        server.core().expect("it is sound").tasks.is_some()
    }

    #[test]
    fn a_server_without_tools_that_may_be_tasks_has_nothing_for_them() {
        let server = Server::new("unit").tools(Tools::new(&[entry::<Idle<false>>()], "1.0.0"));
        assert!(!has_tasks(&server));
    }

    #[test]
    fn whatever_may_bring_tasks_brings_what_they_need() {
        let server = || Server::new("unit");
        let tools = Tools::new(&[entry::<Idle<true>>()], "1.0.0");
        assert!(has_tasks(&server().tools(tools)));
        let tool = RuntimeTool::new("late", "Does nothing.", async |_: Context, _: Value| {});
        assert!(has_tasks(&server().add_tool(tool)));
        assert!(has_tasks(&server().live_tools(&LiveTools::new())));
        #[cfg(feature = "testing")]
        assert!(has_tasks(
            &server().keeping_tasks_in(Arc::new(MemoryStore::default()))
        ));
    }
}
