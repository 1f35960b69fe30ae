//! A run's cancellation: a token that fires once, with a reason.

use std::fmt;
use std::sync::OnceLock;

use tokio_util::sync::CancellationToken;

use crate::model::cancel::CancelReason;

/// Fires once. The reason is set before the token fires, so whoever sees the token sees the reason.
#[derive(Debug, Default)]
pub(crate) struct Stop {
    token: CancellationToken,
    reason: OnceLock<CancelReason>,
}

impl Stop {
    /// Fires, unless it has fired before: the first reason stands.
    pub(crate) fn fire(&self, reason: CancelReason) {
        if self.reason.set(reason).is_ok() {
            self.token.cancel();
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
        &self.token
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
