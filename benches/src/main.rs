//! Measurements of mcp-tasks against other ways to the same end. `benches/README.md` says what each one
//! measures and how to run it.

mod build;
mod calls;
mod children;
mod compile;
mod contest;
mod machine;
mod process;
mod report;
mod servers;
mod tasks;

use std::fs;
use std::io;
use std::process::ExitCode;

use self::report::{Report, Section};

/// Measures so many times and says what it found.
type Measurement = fn(samples: usize) -> io::Result<Section>;

/// What can be measured, by the word that asks for it, in the order of the report.
const MEASUREMENTS: [(&str, Measurement); 11] = [
    ("stdio", calls::stdio::run),
    ("http", calls::http::run),
    ("task-life", tasks::life::run),
    ("task-polls", tasks::polls::run),
    ("task-memory", tasks::memory::run),
    ("task-result", tasks::result::run),
    ("task-progress", tasks::progress::run),
    ("task-soak", tasks::soak::run),
    ("task-idle", tasks::idle::run),
    ("build", build::run),
    ("compile", compile::run),
];

/// Where the report of all measurements is kept.
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/RESULTS.md");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let samples = match arguments[..] {
        [_] => Some(contest::SAMPLES),
        [_, samples] => samples.parse().ok().filter(|samples| *samples > 0),
        _ => None,
    };
    let word = arguments.first().copied().unwrap_or_default();
    let chosen = chosen(word);
    let Some(samples) = samples.filter(|_| !chosen.is_empty()) else {
        let words = MEASUREMENTS.map(|(word, _)| word).join("|");
        eprintln!("usage: cargo run --release -p benches -- all|{words} [SAMPLES]");
        return ExitCode::from(2);
    };
    match measure(&chosen, samples, word == "all") {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn chosen(word: &str) -> Vec<(&'static str, Measurement)> {
    let mut all = MEASUREMENTS.to_vec();
    all.retain(|(name, _)| word == "all" || *name == word);
    all
}

/// Prints what was found, and writes it to [`RESULTS`] if asked to `keep` it. Gives whether all could be
/// measured: what could not stands in the report, beside what the others found.
fn measure(chosen: &[(&str, Measurement)], samples: usize, keep: bool) -> io::Result<bool> {
    let mut report = Report::default();
    for (word, measurement) in chosen {
        match measurement(samples) {
            Ok(section) => report.sections.push(section),
            Err(error) => {
                eprintln!("{word}: {error}");
                report.failed.push(format!("`{word}`: {error}"));
            }
        }
    }
    let text = format!("{}{}", machine::head()?, report.markdown());
    print!("{text}");
    if keep {
        fs::write(RESULTS, text)?;
    }
    Ok(report.failed.is_empty())
}
