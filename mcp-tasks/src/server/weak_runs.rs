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
            tidy(&mut runs);
            // For as many as are left, or one more run would soon cost as much again.
            let left = runs.len();
            runs.reserve(left);
        }
        runs.push(Arc::downgrade(run));
    }

    /// Those that have not ended, each once.
    pub(super) fn left(&self) -> Vec<Arc<Run>> {
        let mut runs = lock(&self.0);
        tidy(&mut runs);
        runs.iter().filter_map(Weak::upgrade).collect()
    }

    /// The same, forgotten here.
    #[cfg(feature = "http")]
    pub(super) fn take(&self) -> Vec<Arc<Run>> {
        let mut runs = std::mem::take(&mut *lock(&self.0));
        tidy(&mut runs);
        runs.iter().filter_map(Weak::upgrade).collect()
    }

    #[cfg(test)]
    pub(super) fn places(&self) -> usize {
        lock(&self.0).capacity()
    }
}

/// Leaves those that have not ended, each once.
fn tidy(runs: &mut Vec<Weak<Run>>) {
    runs.retain(|run| run.strong_count() > 0);
    runs.sort_unstable_by_key(Weak::as_ptr);
    runs.dedup_by(|a, b| a.ptr_eq(b));
}
