//! One clock for the whole runtime, in milliseconds since the Unix epoch.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// A moment in milliseconds since the Unix epoch. Sums saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(pub u64);

impl Millis {
    /// This moment moved forward by `duration`, at most to the end of time.
    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(as_millis(duration)))
    }

    /// Time passed since `earlier`, zero if that lies in the future.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

/// An instant beyond the platform's range is as good as never: a century.
const NEVER: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// The instant `duration` from now, or never.
pub(crate) fn from_now(duration: Duration) -> Instant {
    Instant::now() + duration.min(NEVER)
}

/// Whole milliseconds of a duration, saturating.
pub(crate) fn as_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Wall-clock time that advances with tokio's clock, so that paused time moves every deadline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    wall: Millis,
    start: Instant,
}

impl Clock {
    pub(crate) fn new() -> Self {
        let wall = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, as_millis);
        Self {
            wall: Millis(wall),
            start: Instant::now(),
        }
    }

    pub(crate) fn now(&self) -> Millis {
        self.wall.plus(self.start.elapsed())
    }

    /// The instant at which this clock shows `at`.
    pub(crate) fn instant(&self, at: Millis) -> Instant {
        self.start + at.since(self.wall).min(NEVER)
    }
}
