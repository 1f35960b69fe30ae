//! What one call pins up for another to find.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

#[derive(Clone, Default)]
pub(crate) struct Board(Arc<Mutex<HashMap<String, Arc<Notify>>>>);

impl Board {
    pub(crate) fn note(&self, name: String) -> Arc<Notify> {
        let mut notes = self
            .0
            .lock()
            .expect("nothing panics while it holds the board");
        Arc::clone(notes.entry(name).or_default())
    }
}

/// Notifies when whoever holds it ends, however that comes.
pub(crate) struct NoteOnDrop(pub(crate) Arc<Notify>);

impl Drop for NoteOnDrop {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}
