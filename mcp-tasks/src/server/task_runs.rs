//! The runs of this process that are tasks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::core::POISON;
use super::run::Run;
use crate::model::task::TaskId;
use crate::task::Runners;

/// Each by its task. A run stays until its body has ended, whatever became of the record.
#[derive(Default)]
pub(super) struct TaskRuns(Mutex<HashMap<TaskId, Arc<Run>>>);

impl TaskRuns {
    /// From here on the run hears of changes to the task.
    pub(super) fn insert(&self, id: TaskId, run: Arc<Run>) {
        self.0.lock().expect(POISON).insert(id, run);
    }

    pub(super) fn remove(&self, id: &TaskId) {
        self.0.lock().expect(POISON).remove(id);
    }

    pub(super) fn get(&self, id: &TaskId) -> Option<Arc<Run>> {
        self.0.lock().expect(POISON).get(id).cloned()
    }

    pub(super) fn all(&self) -> Vec<Arc<Run>> {
        self.0.lock().expect(POISON).values().cloned().collect()
    }

    #[cfg(feature = "testing")]
    pub(super) fn count(&self) -> usize {
        self.0.lock().expect(POISON).len()
    }
}

impl Runners for TaskRuns {
    fn task_changed(&self, id: &TaskId) {
        if let Some(run) = self.0.lock().expect(POISON).get(id) {
            run.record_has_changed();
        }
    }

    fn any_changed(&self) {
        for run in self.0.lock().expect(POISON).values() {
            run.record_has_changed();
        }
    }
}
