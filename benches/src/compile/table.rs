//! The report.

use std::fmt::Write as _;

use super::cargo::Mode;
use super::sources::Way;
use super::{Measured, SIZES};

pub(super) fn markdown(measured: &Measured, samples: usize) -> String {
    let mut text = String::new();
    for mode in Mode::ALL {
        let _ = writeln!(
            text,
            "CPU seconds of `cargo {}` of a crate with so many tools of five parameters, the median of {samples}; \
             in parentheses as a multiple of mcp-tasks:\n",
            mode.command()
        );
        let seconds = |way, size| measured.seconds[&(mode, way, size)];
        rows(&mut text, |way, size| {
            let ratio = seconds(way, size) / seconds(Way::McpTasks, size);
            format!("{:.2} ({ratio:.2})", seconds(way, size))
        });
        text.push('\n');
    }
    let _ = writeln!(text, "Lines of expansion per tool:\n");
    let _ = writeln!(text, "| way | lines |\n|---|---|");
    for (way, lines) in &measured.lines {
        let _ = writeln!(text, "| {} | {lines} |", way.title());
    }
    text
}

/// A table with a row for each way and a column for each size.
fn rows(text: &mut String, cell: impl Fn(Way, usize) -> String) {
    let heads = SIZES.map(|size| format!("{size} tools")).join(" | ");
    let _ = writeln!(
        text,
        "| way | {heads} |\n|---|{}",
        "---|".repeat(SIZES.len())
    );
    for way in Way::ALL {
        let cells = SIZES.map(|size| cell(way, size)).join(" | ");
        let _ = writeln!(text, "| {} | {cells} |", way.title());
    }
}
