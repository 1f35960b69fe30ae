//! Drives `analyze_dataset` over real stdio, the way an MCP client does, and tells what happens:
//! one call through its life on each of the two task wires, then one that is cancelled half way.
//!
//! `drive [CSV FILE] [--timeout SECONDS]`; without a file it takes the shipped penguins. It speaks
//! plain JSON lines, checks every step and exits with 1 at the first that is not as it should be.

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

const USAGE: &str = "usage: drive [CSV FILE] [--timeout SECONDS]";

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
    let (file, timeout) = options(std::env::args().skip(1))?;
    let job = Job::on(&file)?;
    let program = program::find("analyze_dataset")?;
    let deadline = Instant::now() + timeout;
    for (ending, suffix) in [
        (Ending::Answer, ""),
        (Ending::Cancel, ", cancelled half way"),
    ] {
        for (wire, drive) in WIRES {
            tell::title(&format!("{wire}{suffix}"));
            let mut server = Server::start(&program, &job.folder, deadline)?;
            drive(&mut server, &job, ending)?;
            server.stop()?;
        }
    }
    println!("\nEverything was as it should be.");
    Ok(())
}

fn options(mut args: impl Iterator<Item = String>) -> Result<(PathBuf, Duration), Fault> {
    let mut file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/penguins.csv");
    let mut timeout = Duration::from_secs(120);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--timeout" => timeout = Duration::from_secs(args.next().ok_or(USAGE)?.parse()?),
            option if option.starts_with('-') => return Err(USAGE.into()),
            _ => file = arg.into(),
        }
    }
    Ok((file, timeout))
}
