//! What is under way, counted.

use tokio::sync::watch;

/// Counts what is under way, so that its end can be waited for. Clones count together.
#[derive(Clone, Debug, Default)]
pub(super) struct Running(watch::Sender<usize>);

/// One of those that are under way, until it is dropped.
#[derive(Debug)]
pub(super) struct Entered(Running);

impl Running {
    pub(super) fn enter(&self) -> Entered {
        self.0.send_modify(|count| *count += 1);
        Entered(self.clone())
    }

    /// Resolves when nothing is under way.
    pub(super) async fn idle(&self) {
        let mut count = self.0.subscribe();
        // The sender is here, and so there is an answer.
        let _ = count.wait_for(|count| *count == 0).await;
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count -= 1);
    }
}
