//! The task engine: records, the one function that moves them, stores, expiry and limits. Knows no
//! JSON-RPC.

pub(crate) mod apply;
mod background;
#[cfg(any(test, feature = "unstable-store"))]
pub(crate) mod contract;
pub(crate) mod engine;
mod expiry;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod faulty;
pub(crate) mod limits;
pub(crate) mod memory;
pub(crate) mod record;
pub(crate) mod store;
pub(crate) mod watch;

pub(crate) use self::{
    engine::{CreateError, Engine, LookupError, NewTask, SubmitError},
    limits::EngineLimits,
    memory::MemoryStore,
    record::{Event, Rejected},
    store::{StoreError, TaskStore},
    watch::Runners,
};
