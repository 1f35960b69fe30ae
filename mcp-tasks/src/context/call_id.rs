//! A name for each call of this process.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Unlike every other of this process, whichever server it is of. Few tools look at it, so that its text is made
/// when it is asked for.
#[derive(Debug)]
pub(crate) struct CallId {
    number: u64,
    text: OnceLock<Box<str>>,
}

impl CallId {
    pub(crate) fn next() -> Self {
        static CALLS: AtomicU64 = AtomicU64::new(1);
        Self {
            number: CALLS.fetch_add(1, Ordering::Relaxed),
            text: OnceLock::new(),
        }
    }

    pub(crate) fn text(&self) -> &str {
        self.text.get_or_init(|| self.number.to_string().into())
    }
}
