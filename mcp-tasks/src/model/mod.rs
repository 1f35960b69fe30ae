//! Protocol-neutral data: what tools, tasks and questions are, before any revision renders them.

pub(crate) mod answer;
pub(crate) mod cancel;
pub(crate) mod capability;
pub(crate) mod clock;
#[cfg(feature = "server")]
pub(crate) mod concurrency;
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
