//! The end of a server: every run is told, and given its time.

use std::sync::Arc;

use super::Core;
use crate::model::cancel::CancelReason;
use crate::model::concurrency::lock;
use crate::server::run::Run;

impl Core {
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
    pub(in crate::server) async fn wound_down(&self, runs: &[Arc<Run>]) {
        let grace = runs.iter().map(|run| run.tool.policy.cancel_grace).max();
        let ended = async {
            for run in runs {
                run.ended().await;
            }
        };
        let most = grace.unwrap_or_default().saturating_add(self.drain());
        let _ = tokio::time::timeout(most, ended).await;
    }

    /// Runs that no request in flight holds: tasks and parked calls.
    fn lasting_runs(&self) -> Vec<Arc<Run>> {
        let mut runs = self.task_runs.all();
        runs.extend(
            lock(&self.parked)
                .values()
                .map(|parked| Arc::clone(&parked.run)),
        );
        runs
    }
}
