//! A run's cancellation: a token that fires once, with a reason.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{Ordering, fence};

use tokio_util::sync::CancellationToken;

use crate::model::cancel::CancelReason;

/// Fires once. The reason is set before the token fires, so whoever sees the token sees the reason.
#[derive(Debug, Default)]
pub(crate) struct Stop {
    reason: OnceLock<CancelReason>,
    /// Made for the first that asks for it: most calls end without anybody who waits for their cancellation.
    token: OnceLock<CancellationToken>,
}

impl Stop {
    /// Fires, unless it has fired before: the first reason stands.
    pub(crate) fn fire(&self, reason: CancelReason) {
        if self.reason.set(reason).is_err() {
            return;
        }
        // Either this finds the token, or whoever makes it finds the reason.
        fence(Ordering::SeqCst);
        if let Some(token) = self.token.get() {
            token.cancel();
        }
    }

    pub(crate) fn reason(&self) -> Option<CancelReason> {
        self.reason.get().copied()
    }

    pub(crate) fn check(&self) -> Result<(), Cancelled> {
        self.reason()
            .map_or(Ok(()), |reason| Err(Cancelled(reason)))
    }

    pub(crate) fn token(&self) -> &CancellationToken {
        if let Some(token) = self.token.get() {
            return token;
        }
        let token = self.token.get_or_init(CancellationToken::new);
        fence(Ordering::SeqCst);
        if self.reason.get().is_some() {
            token.cancel();
        }
        token
    }
}

/// The call was cancelled; `?` ends the tool with it.
///
/// Let out by `?` it ends the run, which the client is told of by its reason: see [the guide](crate::guide::cancellation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled(pub(crate) CancelReason);

impl Cancelled {
    /// Why.
    pub fn reason(self) -> CancelReason {
        self.0
    }
}

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Cancelled {}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Barrier};

    use super::*;

    #[test]
    fn a_token_fires_with_the_stop_and_is_fired_after_it() {
        let stop = Stop::default();
        let token = stop.token().clone();
        assert!(!token.is_cancelled());
        stop.fire(CancelReason::TimedOut);
        stop.fire(CancelReason::Requested);
        assert!(token.is_cancelled());
        assert_eq!(stop.reason(), Some(CancelReason::TimedOut));

        let stop = Stop::default();
        stop.fire(CancelReason::TimedOut);
        assert!(stop.token().is_cancelled());
    }

    /// A token that is made at the very moment of the stop would otherwise never fire.
    #[test]
    fn a_token_made_while_the_stop_fires_is_fired() {
        for _ in 0..2_000 {
            let (stop, start) = (Arc::new(Stop::default()), Arc::new(Barrier::new(2)));
            let firing = std::thread::spawn({
                let (stop, start) = (Arc::clone(&stop), Arc::clone(&start));
                move || {
                    start.wait();
                    stop.fire(CancelReason::Requested);
                }
            });
            start.wait();
            let token = stop.token().clone();
            firing.join().expect("it fires");
            assert!(token.is_cancelled());
        }
    }
}
