//! How runs of one tool are bounded: what its attribute says, over the server's limits.

use std::time::Duration;

use super::Limits;
use crate::model::tool::TaskSupport;
use crate::tool::spec::PolicySpec;

/// How runs of one tool are bounded. Starts as the attribute says; `Server::configure` changes it.
///
/// [`Server::configure`](crate::Server::configure) shows it at work.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Policy {
    /// How long the body may run, waiting for answers not counted; `None` is the server's `max_run`.
    pub timeout: Option<Duration>,
    /// Runs at once, inline runs included; more wait their turn. `None` is no bound.
    pub max_running: Option<usize>,
    /// How long a cancelled body may wind down.
    pub cancel_grace: Duration,
    /// How long a task's result is kept after its end.
    pub keep: Duration,
    /// How often clients are asked to poll.
    pub poll_interval: Duration,
    /// A call that is done within this answers inline, though it could be a task.
    pub after: Option<Duration>,
    pub(crate) task: TaskSupport,
    pub(crate) begin_manual: bool,
    pub(crate) blocking: bool,
    pub(crate) run_budget: Duration,
}

impl Policy {
    pub(super) fn new(spec: &PolicySpec, limits: &Limits) -> Self {
        Self {
            timeout: spec.timeout,
            max_running: spec.max_running,
            cancel_grace: spec.cancel_grace.unwrap_or(limits.cancel_grace),
            keep: spec.keep.unwrap_or(limits.keep),
            poll_interval: spec.poll_interval.unwrap_or(limits.poll_interval),
            after: spec.after,
            task: spec.task,
            begin_manual: spec.begin_manual,
            blocking: spec.blocking,
            run_budget: limits.max_run,
        }
    }

    /// Settles what follows from other fields, once `configure` is through.
    pub(super) fn settled(mut self, limits: &Limits) -> Self {
        self.run_budget = self.timeout.unwrap_or(limits.max_run);
        self
    }
}
