//! What the bodies of one arena's tools did.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use mcp_tasks::CancellationToken;

/// What happened inside the bodies of one arena.
#[derive(Clone, Default)]
pub(crate) struct Bodies(pub(crate) Arc<Counts>);

#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) started: AtomicUsize,
    pub(crate) ended: AtomicUsize,
    /// Tasks that were begun after they were cancelled.
    pub(crate) late: AtomicUsize,
    passed: Mutex<HashSet<usize>>,
}

impl Bodies {
    /// Counts a body in, and out when what this returns is dropped.
    pub(crate) fn enter(&self) -> Inside {
        self.0.started.fetch_add(1, Ordering::SeqCst);
        Inside(self.clone())
    }

    /// The same for the body of a task that sees whether it is cancelled.
    pub(crate) fn enter_unless(&self, token: &CancellationToken) -> Inside {
        let late = usize::from(token.is_cancelled());
        self.0.late.fetch_add(late, Ordering::SeqCst);
        self.enter()
    }

    /// The body of this round got past its question, which no body does twice.
    pub(crate) fn pass(&self, round: usize) {
        let new = self.0.passed.lock().expect("no panic").insert(round);
        assert!(new, "the body of round {round} passed twice");
    }

    /// Whether it did.
    pub(crate) fn has_passed(&self, round: usize) -> bool {
        self.0.passed.lock().expect("no panic").contains(&round)
    }
}

/// Lives as long as a body.
pub(crate) struct Inside(Bodies);

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.0.ended.fetch_add(1, Ordering::SeqCst);
    }
}
