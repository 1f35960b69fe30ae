//! The runs of this process that are tasks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::run::Run;
use crate::model::concurrency::lock;
use crate::model::task::TaskId;
use crate::task::Runners;

/// Each by its task. A run stays until its body has ended, whatever became of the record.
#[derive(Default)]
pub(super) struct TaskRuns(Mutex<HashMap<TaskId, Arc<Run>>>);

impl TaskRuns {
    /// From here on the run hears of changes to the task.
    pub(super) fn insert(&self, id: TaskId, run: Arc<Run>) {
        lock(&self.0).insert(id, run);
    }

    pub(super) fn remove(&self, id: &TaskId) {
        lock(&self.0).remove(id);
    }

    pub(super) fn get(&self, id: &TaskId) -> Option<Arc<Run>> {
        lock(&self.0).get(id).cloned()
    }

    pub(super) fn all(&self) -> Vec<Arc<Run>> {
        lock(&self.0).values().cloned().collect()
    }

    #[cfg(feature = "testing")]
    pub(super) fn count(&self) -> usize {
        lock(&self.0).len()
    }
}

impl Runners for TaskRuns {
    fn task_changed(&self, id: &TaskId) {
        if let Some(run) = lock(&self.0).get(id) {
            run.record_has_changed();
        }
    }

    fn any_changed(&self) {
        for run in lock(&self.0).values() {
            run.record_has_changed();
        }
    }
}
