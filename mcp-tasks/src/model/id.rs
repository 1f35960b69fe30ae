//! Ids nobody can guess.

use std::fmt::Write;

/// 128 random bits in hexadecimal.
///
/// # Panics
/// If the operating system has no randomness to give: without it no id is safe to hand out.
pub(crate) fn random() -> String {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).expect("the operating system's random source");
    bits.iter().fold(String::with_capacity(32), |mut id, byte| {
        let _ = write!(id, "{byte:02x}");
        id
    })
}
