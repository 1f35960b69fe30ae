//! Runs that somebody has to find again, and that nobody keeps for that.

use std::sync::{Arc, Mutex, Weak};

use super::run::Run;
use crate::model::concurrency::lock;

/// Some runs. One that has ended takes no more than its place, and that for a while.
#[derive(Default)]
pub(super) struct WeakRuns(Mutex<Vec<Weak<Run>>>);

impl WeakRuns {
    pub(super) fn add(&self, run: &Arc<Run>) {
        let mut runs = lock(&self.0);
        // Before it grows, and not each time: what it costs would grow with the number of runs.
        if runs.len() == runs.capacity() {
            runs.retain(|run| run.strong_count() > 0);
            runs.sort_unstable_by_key(Weak::as_ptr);
            runs.dedup_by(|a, b| a.ptr_eq(b));
            // For as many as are left, or one more run would soon cost as much again.
            let left = runs.len();
            runs.reserve(left);
        }
        runs.push(Arc::downgrade(run));
    }

    /// Those that have not ended, each once.
    pub(super) fn left(&self) -> Vec<Arc<Run>> {
        upgraded(&lock(&self.0))
    }

    /// The same, forgotten here.
    #[cfg(feature = "http")]
    pub(super) fn take(&self) -> Vec<Arc<Run>> {
        let runs = std::mem::take(&mut *lock(&self.0));
        upgraded(&runs)
    }

    #[cfg(test)]
    pub(super) fn places(&self) -> usize {
        lock(&self.0).capacity()
    }
}

fn upgraded(runs: &[Weak<Run>]) -> Vec<Arc<Run>> {
    let mut runs: Vec<_> = runs.iter().filter_map(Weak::upgrade).collect();
    runs.sort_unstable_by_key(Arc::as_ptr);
    runs.dedup_by(|a, b| Arc::ptr_eq(a, b));
    runs
}
