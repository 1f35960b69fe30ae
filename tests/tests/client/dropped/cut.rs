//! Giving a future up at some point, and the runtime that makes the points fine.

use std::fmt;
use std::pin::pin;
use std::task::Poll;

use tokio::runtime::Builder;
use tokio::task::yield_now;
use tokio::time::{Duration, sleep, timeout};

/// No future here is polled more often before it is done, unless time passes.
const POLLS: usize = 4;
/// Turns of the runtime after which moments are milliseconds.
const TURNS: usize = 48;
/// Milliseconds after which nothing new happens.
const MILLIS: usize = 5;

/// After this, a future that waits for a few milliseconds is done, or waits for ever.
const LONG: Duration = Duration::from_secs(5);

/// Where a future is dropped.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cut {
    /// When it has been polled so often.
    Polls(usize),
    /// After so many turns of the runtime, in each of which one other task goes on; later ones are milliseconds.
    Moment(usize),
}

impl Cut {
    /// Every point at which something can be dropped that waits for the passing of no more than a few milliseconds.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let moments = (0..=TURNS + MILLIS).map(Self::Moment);
        (1..=POLLS).map(Self::Polls).chain(moments)
    }

    /// What comes of the future, unless it is dropped before.
    pub(crate) async fn of<F: Future>(self, future: F) -> Option<F::Output> {
        match self {
            Self::Polls(polls) => timeout(LONG, polled(future, polls)).await.ok()?,
            Self::Moment(moment) => tokio::select! {
                biased;
                output = future => Some(output),
                () = pass(moment) => None,
            },
        }
    }
}

/// Runs a test in paused time, on a runtime that comes back to it whenever one other task has been polled.
pub(crate) fn finely(test: impl Future<Output = ()>) {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .event_interval(1)
        .build();
    runtime.expect("a runtime").block_on(test);
}

async fn polled<F: Future>(future: F, mut left: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    std::future::poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => {
            left -= 1;
            if left == 0 {
                Poll::Ready(None)
            } else {
                Poll::Pending
            }
        }
    })
    .await
}

async fn pass(moment: usize) {
    for _ in 0..moment.min(TURNS) {
        yield_now().await;
    }
    for _ in TURNS..moment {
        sleep(Duration::from_millis(1)).await;
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Polls(polls) => write!(f, "dropped at poll {polls}"),
            Self::Moment(moment) => write!(f, "dropped at moment {moment}"),
        }
    }
}
