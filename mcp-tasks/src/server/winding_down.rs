//! Cancelled calls whose bodies may still wind down: no request and no task leads to them any more.

use std::sync::{Arc, Mutex, Weak};

use super::core::POISON;
use super::run::Run;

/// Some of them. A run that has ended takes no more than its place.
#[derive(Default)]
pub(super) struct WindingDown(Mutex<Vec<Weak<Run>>>);

impl WindingDown {
    /// Remembers a call that is being cancelled, if its body is given time.
    pub(super) fn add(&self, run: &Arc<Run>) {
        if !run.tool.winds_down {
            return;
        }
        let mut runs = self.0.lock().expect(POISON);
        // Before it grows: those that have ended make room.
        if runs.len() == runs.capacity() {
            runs.retain(|run| run.strong_count() > 0);
        }
        runs.push(Arc::downgrade(run));
    }

    /// Those that have not ended.
    pub(super) fn left(&self) -> Vec<Arc<Run>> {
        let runs = self.0.lock().expect(POISON);
        runs.iter().filter_map(Weak::upgrade).collect()
    }
}
