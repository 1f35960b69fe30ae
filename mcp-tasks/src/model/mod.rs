//! Protocol-neutral data: what tools, tasks and questions are, before any revision renders them.

pub(crate) mod answer;
pub(crate) mod cancel;
pub(crate) mod capability;
pub(crate) mod clock;
pub(crate) mod content;
pub(crate) mod error;
pub(crate) mod form;
pub(crate) mod id;
pub(crate) mod input;
pub(crate) mod level;
pub(crate) mod principal;
#[cfg(feature = "client")]
pub(crate) mod remote;
pub(crate) mod result;
pub(crate) mod task;
pub(crate) mod tool;

/// A boxed future that can move between threads.
pub type BoxFuture<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Spawns what few requests come to. In a box, for tokio's machinery is compiled for each type of future that it is given:
/// a dozen KiB of every program.
#[cfg(feature = "server")]
pub(crate) fn spawn(
    runtime: &tokio::runtime::Handle,
    future: BoxFuture<'static, ()>,
) -> tokio::task::JoinHandle<()> {
    runtime.spawn(future)
}
