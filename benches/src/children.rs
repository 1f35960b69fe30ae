//! What the programs that were started from here have used.

use std::io;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

/// Seconds of CPU, in user and system mode, of all processes that were started from here and have ended.
#[allow(
    clippy::cast_precision_loss,
    reason = "a build takes no 2^52 microseconds"
)]
pub(crate) fn cpu() -> io::Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(micros as f64 / 1e6)
}
