//! What tools cost the build of their crate.
//!
//! The same tools are written in three ways, in crates of three sizes. Each crate is checked and built
//! again and again, the ways taking turns, so that a busy machine slows all of them alike.

mod cargo;
mod sources;
mod table;

use std::collections::BTreeMap;
use std::io;

use self::cargo::{Cargo, Mode};
use self::sources::Way;

/// How often each crate is compiled; the median counts.
pub(crate) const SAMPLES: usize = 5;

/// How many tools the crates have.
const SIZES: [usize; 3] = [10, 50, 200];

/// The medians of all that is measured.
struct Measured {
    seconds: BTreeMap<(Mode, Way, usize), f64>,
    /// Lines that one tool expands to.
    lines: BTreeMap<Way, usize>,
}

/// Measures, and gives the tables as Markdown.
pub(crate) fn run(samples: usize) -> io::Result<String> {
    let cargo = Cargo::prepare()?;
    let measured = Measured {
        seconds: seconds(&cargo, samples)?,
        lines: lines(&cargo)?,
    };
    Ok(table::markdown(&measured, samples))
}

fn seconds(cargo: &Cargo, samples: usize) -> io::Result<BTreeMap<(Mode, Way, usize), f64>> {
    let mut all: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for sample in 1..=samples {
        for mode in Mode::ALL {
            for size in SIZES {
                for way in Way::ALL {
                    let seconds = cargo.compile(mode, way, size)?;
                    eprintln!("{sample}/{samples} {mode:?} {way:?} {size}: {seconds:.2} s");
                    all.entry((mode, way, size)).or_default().push(seconds);
                }
            }
        }
    }
    Ok(all
        .into_iter()
        .map(|(key, samples)| (key, median(samples)))
        .collect())
}

/// The lines that each further tool adds to the expansion of a crate.
fn lines(cargo: &Cargo) -> io::Result<BTreeMap<Way, usize>> {
    let [small, medium, _] = SIZES;
    let mut lines = BTreeMap::new();
    for way in Way::ALL {
        let added = cargo.expanded_lines(way, medium)? - cargo.expanded_lines(way, small)?;
        lines.insert(way, added.div_ceil(medium - small));
    }
    Ok(lines)
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}
