//! Waits that seldom come to be.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::error::Elapsed;
use tokio::time::timeout;

/// As [`timeout`], but what is ready at once costs no timer.
pub(super) async fn within<F: Future>(time: Duration, future: F) -> Result<F::Output, Elapsed> {
    let mut future = pin!(future);
    match poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx))).await {
        Poll::Ready(output) => Ok(output),
        Poll::Pending => timeout(time, future).await,
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::time::{Instant, sleep};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_is_ready_needs_no_time_and_what_is_not_gets_that_much() {
        assert_eq!(within(Duration::ZERO, ready(1)).await.ok(), Some(1));
        let start = Instant::now();
        let second = Duration::from_secs(1);
        assert!(within(second * 2, sleep(second)).await.is_ok());
        assert!(within(second, pending::<()>()).await.is_err());
        assert_eq!(start.elapsed(), second * 2);
    }
}
