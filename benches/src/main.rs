//! Measurements of mcp-tasks against other ways to the same end. `benches/README.md` says what each one
//! measures and how to run it.

mod compile;
mod contest;
mod process;
mod report;
mod servers;
mod tasks;

use std::io;
use std::process::ExitCode;

use self::report::Section;

/// Measures so many times and says what it found.
type Measurement = fn(samples: usize) -> io::Result<Section>;

/// What can be measured, by the word that asks for it, in the order of the report.
const MEASUREMENTS: [(&str, Measurement); 8] = [
    ("task-life", tasks::life::run),
    ("task-polls", tasks::polls::run),
    ("task-memory", tasks::memory::run),
    ("task-result", tasks::result::run),
    ("task-progress", tasks::progress::run),
    ("task-soak", tasks::soak::run),
    ("task-idle", tasks::idle::run),
    ("compile", compile::run),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let samples = match arguments[..] {
        [_] => Some(contest::SAMPLES),
        [_, samples] => samples.parse().ok().filter(|samples| *samples > 0),
        _ => None,
    };
    let chosen = arguments.first().map_or(Vec::new(), |word| chosen(word));
    let Some(samples) = samples.filter(|_| !chosen.is_empty()) else {
        let words = MEASUREMENTS.map(|(word, _)| word).join("|");
        eprintln!("usage: cargo run --release -p benches -- all|{words} [SAMPLES]");
        return ExitCode::from(2);
    };
    match measure(&chosen, samples) {
        Ok(report) => {
            print!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn chosen(word: &str) -> Vec<Measurement> {
    let named = |(name, _): &&(&str, Measurement)| word == "all" || *name == word;
    let all = MEASUREMENTS.iter();
    all.filter(named)
        .map(|(_, measurement)| *measurement)
        .collect()
}

fn measure(chosen: &[Measurement], samples: usize) -> io::Result<String> {
    let sections = chosen
        .iter()
        .map(|measurement| measurement(samples))
        .collect::<io::Result<Vec<Section>>>()?;
    Ok(report::markdown(&sections))
}
