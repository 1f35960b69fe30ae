//! What one `tools/call` costs the server that answers it: CPU time of its process, per call.
//!
//! All contenders get the same messages, and all must give the same text.

mod contender;
pub(crate) mod http;
mod message;
pub(crate) mod stdio;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::servers::Package;

/// The program of each package.
const PROGRAM: &str = "calls";

/// The programs of these packages, built.
fn built(packages: &[Package]) -> io::Result<BTreeMap<Package, PathBuf>> {
    let built = |package: &Package| Ok((*package, package.build()?.join(PROGRAM)));
    packages.iter().map(built).collect()
}

/// Microseconds of CPU for each of so many calls.
fn micros(cpu: Duration, calls: usize) -> f64 {
    let calls = u32::try_from(calls).expect("a sample has not that many calls");
    cpu.as_secs_f64() * 1e6 / f64::from(calls)
}
