//! How long a connection waits for the head of a request: one alarm for its whole life.
//!
//! A timer for each request would be set and taken back with every one of them, among those of all connections. The
//! alarm stays set instead, and looks when it rings whether it was meant to by now.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

use crate::model::concurrency::lock;

/// The timer of one connection, which waits for one thing at a time.
#[derive(Default)]
pub(super) struct Patience(Arc<Mutex<Alarm>>);

/// Set when somebody first waits.
#[derive(Default)]
struct Alarm(Option<Pin<Box<tokio::time::Sleep>>>);

/// The wait for one moment.
struct Until {
    deadline: tokio::time::Instant,
    alarm: Arc<Mutex<Alarm>>,
}

impl Timer for Patience {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Until {
            deadline: deadline.into(),
            alarm: Arc::clone(&self.0),
        })
    }

    /// By the clock of the runtime, which a test may hold.
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }
}

impl Sleep for Until {}

impl Future for Until {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut alarm = lock(&self.alarm);
        let unset = || Box::pin(tokio::time::sleep_until(self.deadline));
        let alarm = alarm.0.get_or_insert_with(unset);
        if alarm.deadline() > self.deadline {
            alarm.as_mut().reset(self.deadline);
        }
        while alarm.as_mut().poll(cx).is_ready() {
            if alarm.deadline() == self.deadline {
                return Poll::Ready(());
            }
            // It rang for a wait that is over.
            alarm.as_mut().reset(self.deadline);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_wait_ends_at_its_own_moment_whatever_was_waited_for_before() {
        let patience = Patience::default();
        let start = tokio::time::Instant::now();
        let given_up = tokio::time::timeout(SECOND, patience.sleep(10 * SECOND));
        assert!(given_up.await.is_err());
        for (length, end) in [(30, 31), (5, 36), (20, 56)] {
            patience.sleep(length * SECOND).await;
            assert_eq!(start.elapsed(), end * SECOND);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_moment_that_has_passed_is_not_waited_for() {
        let patience = Patience::default();
        let (start, passed) = (tokio::time::Instant::now(), patience.now());
        patience.sleep(SECOND).await;
        patience.sleep_until(passed).await;
        assert_eq!(start.elapsed(), SECOND);
    }
}
