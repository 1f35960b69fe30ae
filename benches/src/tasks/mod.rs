//! What tasks cost: their life, polls of them, their memory, their progress, and a great many of them.
//!
//! All servers have the same tools and are driven by the same [`client`] over their standard input and output.

mod client;
mod contender;
pub(crate) mod idle;
pub(crate) mod life;
pub(crate) mod memory;
pub(crate) mod polls;
pub(crate) mod progress;
pub(crate) mod result;
pub(crate) mod soak;

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use self::contender::Programs;
use crate::servers::Package;

/// What takes part where all servers do.
fn programs() -> io::Result<Programs> {
    Programs::build(&[Package::McpTasks, Package::Rmcp])
}

/// A table: a column of names, and one for each of `heads`.
fn table(heads: &[&str], rows: impl IntoIterator<Item = (&'static str, Vec<String>)>) -> String {
    let mut text = format!(
        "| | {} |\n|---|{}\n",
        heads.join(" | "),
        "---|".repeat(heads.len())
    );
    for (name, cells) in rows {
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    text
}

/// What one of `count` takes of a time, in microseconds.
#[allow(clippy::cast_precision_loss, reason = "nothing is done 2^52 times")]
fn micros_each(time: Duration, count: usize) -> f64 {
    time.as_secs_f64() * 1e6 / count as f64
}

/// The better of two servers at what should be low.
fn lower(one: f64, other: f64) -> f64 {
    if other < one { other } else { one }
}
