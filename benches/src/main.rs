//! Measurements of mcp-tasks against other ways to the same end. `benches/README.md` says what each one
//! measures and how to run it.

mod compile;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo run --release -p benches -- compile [SAMPLES]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let samples = match arguments[..] {
        ["compile"] => Some(compile::SAMPLES),
        ["compile", samples] => samples.parse().ok().filter(|samples| *samples > 0),
        _ => None,
    };
    let Some(samples) = samples else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match compile::run(samples) {
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
