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
use crate::contest;
use crate::report::{Goal, Section};

/// How many tools the crates have.
const SIZES: [usize; 3] = [10, 50, 200];

/// The medians of all that is measured.
struct Measured {
    seconds: BTreeMap<(Mode, Way, usize), f64>,
    /// Lines that one tool expands to.
    lines: BTreeMap<Way, usize>,
}

pub(crate) fn run(samples: usize) -> io::Result<Section> {
    let cargo = Cargo::prepare()?;
    let measured = Measured {
        seconds: seconds(&cargo, samples)?,
        lines: lines(&cargo)?,
    };
    let body = table::markdown(&measured, samples);
    Ok(Section::new("Compile time", body, goals(&measured)))
}

/// What 200 tools cost, of what the derives cost, and how long a tool's expansion is.
#[allow(clippy::cast_precision_loss, reason = "an expansion has no 2^52 lines")]
fn goals(measured: &Measured) -> Vec<Goal> {
    let [.., largest] = SIZES;
    let mut goals: Vec<Goal> = Mode::ALL
        .into_iter()
        .map(|mode| {
            let seconds = |way| measured.seconds[&(mode, way, largest)];
            let what = format!(
                "`cargo {}` of {largest} tools, of the derives",
                mode.command()
            );
            Goal::at_most(0.5, what, seconds(Way::McpTasks) / seconds(Way::Derive))
        })
        .collect();
    let lines = measured.lines[&Way::McpTasks] as f64;
    goals.push(Goal::at_most(80.0, "lines of expansion per tool", lines));
    goals
}

fn seconds(cargo: &Cargo, samples: usize) -> io::Result<BTreeMap<(Mode, Way, usize), f64>> {
    let mut crates = Vec::new();
    for mode in Mode::ALL {
        for size in SIZES {
            crates.extend(Way::ALL.map(|way| (mode, way, size)));
        }
    }
    contest::medians(samples, &crates, |(mode, way, size)| {
        cargo.compile(mode, way, size)
    })
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
