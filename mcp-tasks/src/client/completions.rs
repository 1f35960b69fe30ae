//! What servers tell of pages that have done their part (2025-11-25 elicitation), for whoever waits for it.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// Completions that are kept before anybody waits for them, at most: one may overtake what asks for its page.
const EARLY: usize = 64;
/// Bytes of the longest id that is kept so.
const LONGEST: usize = 1024;

#[derive(Default)]
pub(super) struct CompletionDesk(Arc<Mutex<Desk>>);

#[derive(Default)]
struct Desk {
    /// By the elicitation's id; becomes true when it is complete.
    awaited: HashMap<String, watch::Sender<bool>>,
    early: VecDeque<String>,
    closed: bool,
}

impl CompletionDesk {
    /// The completion of the elicitation `id`, to be had before the user is asked.
    pub(super) fn expect(&self, id: &str) -> Completion {
        let mut desk = lock(&self.0);
        let early = desk.early.iter().position(|early| early == id);
        let told = early.and_then(|at| desk.early.remove(at)).is_some();
        let sender = if desk.closed {
            &watch::Sender::new(told)
        } else {
            desk.awaited
                .entry(id.to_owned())
                .or_insert_with(|| watch::Sender::new(told))
        };
        Completion {
            id: id.to_owned(),
            told: Some(sender.subscribe()),
            desk: Arc::clone(&self.0),
        }
    }

    /// `notifications/elicitation/complete`.
    pub(super) fn complete(&self, id: &str) {
        let mut desk = lock(&self.0);
        if let Some(awaited) = desk.awaited.get(id) {
            awaited.send_replace(true);
        } else if id.len() <= LONGEST && !desk.early.iter().any(|early| early == id) {
            desk.early.push_back(id.to_owned());
            if desk.early.len() > EARLY {
                desk.early.pop_front();
            }
        }
    }

    /// No more will be told.
    pub(super) fn close(&self) {
        let mut desk = lock(&self.0);
        desk.closed = true;
        desk.awaited.clear();
    }
}

/// Waits for the completion of one elicitation.
pub(super) struct Completion {
    id: String,
    /// `None` while it is dropped.
    told: Option<watch::Receiver<bool>>,
    desk: Arc<Mutex<Desk>>,
}

impl Completion {
    /// Resolves when the server has told of it, or with `false` when it cannot any more.
    pub(super) async fn told(&mut self) -> bool {
        match &mut self.told {
            Some(told) => told.wait_for(|told| *told).await.is_ok(),
            None => false,
        }
    }

    /// Whether the server has told of it by now.
    pub(super) fn is_told(&self) -> bool {
        self.told.as_ref().is_some_and(|told| *told.borrow())
    }
}

impl Clone for Completion {
    fn clone(&self) -> Self {
        Self {
            id: self.id.clone(),
            told: self.told.clone(),
            desk: Arc::clone(&self.desk),
        }
    }
}

impl Drop for Completion {
    fn drop(&mut self) {
        self.told = None;
        let mut desk = lock(&self.desk);
        let awaited = desk.awaited.get(&self.id);
        if awaited.is_some_and(|awaited| awaited.receiver_count() == 0) {
            desk.awaited.remove(&self.id);
        }
    }
}

impl fmt::Debug for Completion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Completion")
            .field("told", &self.is_told())
            .finish_non_exhaustive()
    }
}

fn lock(desk: &Mutex<Desk>) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[test]
    fn a_completion_that_comes_before_anybody_waits_counts_once() {
        let desk = CompletionDesk::default();
        desk.complete("a");
        assert!(desk.expect("a").is_told());
        assert!(!desk.expect("a").is_told());
    }

    /// What the wait comes to; `None` if it does not end.
    async fn told(mut completion: Completion) -> Option<bool> {
        timeout(Duration::from_secs(60), completion.told())
            .await
            .ok()
    }

    #[tokio::test(start_paused = true)]
    async fn everybody_who_waits_is_told_and_nobody_else() {
        let desk = CompletionDesk::default();
        let (one, two, other) = (desk.expect("a"), desk.expect("a"), desk.expect("b"));
        desk.complete("a");
        assert_eq!(told(one).await, Some(true));
        assert_eq!(told(two).await, Some(true));
        assert_eq!(told(other).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn the_end_of_the_connection_ends_the_wait() {
        let desk = CompletionDesk::default();
        let before = desk.expect("a");
        desk.close();
        assert_eq!(told(before).await, Some(false));
        assert_eq!(told(desk.expect("a")).await, Some(false));
    }

    #[test]
    fn nothing_is_left_of_what_nobody_waits_for() {
        let desk = CompletionDesk::default();
        let one = desk.expect("a");
        drop((one.clone(), one));
        for n in 0..1000 {
            desk.complete(&n.to_string());
        }
        desk.complete(&"x".repeat(LONGEST + 1));
        let desk = lock(&desk.0);
        assert!(desk.awaited.is_empty());
        assert_eq!(desk.early.len(), EARLY);
        assert!(desk.early.iter().all(|id| id.len() <= LONGEST));
    }
}
