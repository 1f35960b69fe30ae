//! Requests that the server made of a client, until their responses come.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::core::POISON;
use super::run::Run;
use crate::wire::envelope::RequestId;

/// Which question of which run a response answers.
pub(super) struct Expected {
    pub(super) run: Arc<Run>,
    pub(super) key: Arc<str>,
}

/// The requests of one connection that wait for a response.
#[derive(Default)]
pub(super) struct Requests(Mutex<Open>);

#[derive(Default)]
struct Open {
    last: u64,
    /// The client's side is closed: no response will ever come.
    closed: bool,
    expected: HashMap<u64, Expected>,
}

impl Requests {
    /// The id to ask under; `None` if nobody can answer any more.
    pub(super) fn expect(&self, run: &Arc<Run>, key: &Arc<str>) -> Option<u64> {
        let mut open = self.0.lock().expect(POISON);
        if open.closed {
            return None;
        }
        open.last += 1;
        let id = open.last;
        open.expected.insert(
            id,
            Expected {
                run: Arc::clone(run),
                key: Arc::clone(key),
            },
        );
        Some(id)
    }

    /// The question that a response with this id answers, once.
    pub(super) fn take(&self, id: &RequestId) -> Option<Expected> {
        let RequestId::Number(number) = id else {
            return None;
        };
        self.forget(number.as_u64()?)
    }

    pub(super) fn forget(&self, id: u64) -> Option<Expected> {
        self.0.lock().expect(POISON).expected.remove(&id)
    }

    #[cfg(feature = "testing")]
    pub(super) fn count(&self) -> usize {
        self.0.lock().expect(POISON).expected.len()
    }

    /// No response will come any more.
    pub(super) fn lost(&self) {
        let expected = {
            let mut open = self.0.lock().expect(POISON);
            open.closed = true;
            std::mem::take(&mut open.expected)
        };
        for question in expected.into_values() {
            question.run.client_lost(&question.key);
        }
    }
}
