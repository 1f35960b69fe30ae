//! Measurements of mcp-tasks against other ways to the same end. `benches/README.md` says what each one
//! measures and how to run it.

mod build;
mod calls;
mod children;
mod compile;
mod contest;
mod kept;
mod machine;
mod process;
mod report;
mod servers;
mod tasks;

use std::fs;
use std::io;
use std::process::ExitCode;

use self::report::{Measured, Report, Section};

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

/// Where the report of all measurements is written.
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/RESULTS.md");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ran = match arguments[..] {
        ["report"] => report(),
        [word] => run(word, Some(contest::SAMPLES)),
        [word, samples] => run(word, samples.parse().ok()),
        _ => run("", None),
    };
    match ran {
        Ok(exit) => exit,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures what the word asks for, and prints it.
fn run(word: &str, samples: Option<usize>) -> io::Result<ExitCode> {
    let mut chosen = MEASUREMENTS.to_vec();
    chosen.retain(|(name, _)| word == "all" || *name == word);
    let Some(samples) = samples.filter(|samples| *samples > 0 && !chosen.is_empty()) else {
        if !word.is_empty() {
            let wrong = if chosen.is_empty() {
                "there is no such measurement"
            } else {
                "SAMPLES is a number from 1"
            };
            eprintln!("{word}: {wrong}");
        }
        let words = MEASUREMENTS.map(|(word, _)| word).join("|");
        eprintln!("usage: cargo run --release -p benches -- all|report|{words} [SAMPLES]");
        return Ok(ExitCode::from(2));
    };
    let mut found = Report::default();
    for (word, measurement) in chosen {
        match measure(word, measurement, samples) {
            Ok(measured) => found.measured.push(measured),
            Err(error) => {
                eprintln!("{word}: {error}");
                found.missing.push(format!("`{word}`: {error}"));
            }
        }
    }
    let text = format!("{}{}", machine::head()?, found.markdown());
    print!("{text}");
    if word == "all" {
        fs::write(RESULTS, text)?;
    }
    Ok(if found.missing.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Measures, and keeps what it found if that is worth a place in the report.
fn measure(word: &str, measurement: Measurement, samples: usize) -> io::Result<Measured> {
    let (stamp, machine) = (machine::stamp()?, machine::here()?);
    let section = measurement(samples)?;
    let counts = samples >= contest::SAMPLES && !section.shortened;
    let measured = Measured {
        stamp,
        machine,
        section,
    };
    if counts {
        kept::keep(word, &measured)?;
        eprintln!(
            "{word}: kept in benches/results; `report` writes benches/RESULTS.md of all that is"
        );
    } else {
        eprintln!("{word}: too few samples, or too short, to be kept for the report");
    }
    Ok(measured)
}

/// Writes the report of what was kept, one measurement at a time.
fn report() -> io::Result<ExitCode> {
    let mut found = Report::default();
    for (word, _) in MEASUREMENTS {
        match kept::find(word)? {
            Some(measured) => found.measured.push(measured),
            None => found.missing.push(format!("`{word}`")),
        }
    }
    if found.measured.is_empty() {
        return Err(io::Error::other("nothing has been measured yet"));
    }
    let text = format!("{}{}", machine::head()?, found.markdown());
    print!("{text}");
    fs::write(RESULTS, text)?;
    Ok(ExitCode::SUCCESS)
}
