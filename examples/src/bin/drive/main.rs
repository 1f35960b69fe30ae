//! Drives `analyze_dataset` over real stdio, the way an MCP client does, and tells what happens:
//! one call through its life on each of the two task wires, then one that is cancelled half way.
//!
//! `cargo run -p examples --bin drive -- [CSV FILE] [--wire] [--timeout SECONDS]`; without a file it takes the
//! shipped penguins, with `--wire` it shows each line of JSON. It checks every step and exits with 1 at the first that
//! is not as it should be.

mod core_tasks;
mod extension;
mod job;
mod program;
mod server;
mod tell;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use self::job::{Ending, Job};
use self::server::Server;

/// Anything that is not as it should be.
type Fault = Box<dyn std::error::Error>;

const USAGE: &str = "usage: drive [CSV FILE] [--wire] [--timeout SECONDS]";

/// What the command line says.
struct Options {
    file: PathBuf,
    wire: bool,
    timeout: Duration,
}

/// Takes one call through its life on one wire.
type Wire = fn(&mut Server, &Job, Ending) -> Result<(), Fault>;

const WIRES: [(&str, Wire); 2] = [
    ("2026-07-28, tasks extension", extension::drive),
    ("2025-11-25, core tasks", core_tasks::drive),
];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("drive: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Fault> {
    let options = options(std::env::args().skip(1))?;
    let job = Job::on(&options.file)?;
    let program = program::find("analyze_dataset")?;
    let deadline = Instant::now() + options.timeout;
    for (ending, suffix) in [
        (Ending::Answer, ""),
        (Ending::Cancel, ", cancelled half way"),
    ] {
        for (wire, drive) in WIRES {
            tell::title(&format!("{wire}{suffix}"));
            let mut server = Server::start(&program, &job.folder, deadline)?;
            server.show_wire(options.wire);
            drive(&mut server, &job, ending)?;
            server.stop()?;
        }
    }
    println!("\nEverything was as it should be.");
    Ok(())
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options, Fault> {
    let mut options = Options {
        file: Path::new(env!("CARGO_MANIFEST_DIR")).join("data/penguins.csv"),
        wire: false,
        timeout: Duration::from_secs(120),
    };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--timeout" => {
                options.timeout = Duration::from_secs(args.next().ok_or(USAGE)?.parse()?);
            }
            "--wire" => options.wire = true,
            option if option.starts_with('-') => return Err(USAGE.into()),
            _ => options.file = arg.into(),
        }
    }
    Ok(options)
}
