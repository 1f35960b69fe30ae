//! Why a run was told to stop.

use std::fmt;

/// Why a run was told to stop.
///
/// What each comes to is in [the guide](crate::guide::cancellation#who-cancels-and-what-comes-of-it).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CancelReason {
    /// The client asked for it.
    Requested,
    /// The connection that the call came on closed.
    Disconnected,
    /// The run took longer than its `timeout`.
    TimedOut,
    /// The task's time to live ran out.
    Expired,
    /// A parked call was not taken up again.
    Abandoned,
    /// The server is shutting down.
    Shutdown,
}

impl fmt::Display for CancelReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Requested => "cancelled by the client",
            Self::Disconnected => "the client disconnected",
            Self::TimedOut => "timed out",
            Self::Expired => "the task expired",
            Self::Abandoned => "the client did not come back with an answer",
            Self::Shutdown => "the server is shutting down",
        })
    }
}
