//! Requests that the server made of a client, until their responses come.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::run::Run;
use crate::model::concurrency::lock;
use crate::wire::envelope::RequestId;

/// The requests of one connection that wait for a response.
#[derive(Default)]
pub(super) struct Requests(Mutex<Open>);

#[derive(Default)]
struct Open {
    last: u64,
    /// The client's side is closed: no response will ever come.
    closed: bool,
    /// Whose question each is. Which of its questions, the run knows.
    expected: HashMap<u64, Arc<Run>>,
}

impl Requests {
    /// The id to ask under; `None` if nobody can answer any more.
    pub(super) fn expect(&self, run: &Arc<Run>) -> Option<u64> {
        let mut open = lock(&self.0);
        if open.closed {
            return None;
        }
        open.last += 1;
        let id = open.last;
        open.expected.insert(id, Arc::clone(run));
        Some(id)
    }

    /// Whose question a response with this id answers, once.
    pub(super) fn take(&self, id: &RequestId) -> Option<(u64, Arc<Run>)> {
        let RequestId::Number(number) = id else {
            return None;
        };
        let id = number.as_u64()?;
        Some((id, self.forget(id)?))
    }

    pub(super) fn forget(&self, id: u64) -> Option<Arc<Run>> {
        lock(&self.0).expected.remove(&id)
    }

    #[cfg(feature = "testing")]
    pub(super) fn count(&self) -> usize {
        lock(&self.0).expected.len()
    }

    /// No response will come any more. Those that are still waited for.
    pub(super) fn close(&self) -> HashMap<u64, Arc<Run>> {
        let mut open = lock(&self.0);
        open.closed = true;
        std::mem::take(&mut open.expected)
    }
}
