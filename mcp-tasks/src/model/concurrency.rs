//! How locks are taken and futures are spawned, each in one place: either would be compiled wherever it is done.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::BoxFuture;

/// Locks, whatever became of an earlier holder: each leaves what it holds whole at every step that could panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Spawns what few requests come to. In a box, for tokio's machinery is compiled for each type of future that it is given:
/// a dozen KiB of every program.
pub(crate) fn spawn(runtime: &Handle, future: BoxFuture<'static, ()>) -> JoinHandle<()> {
    runtime.spawn(future)
}
