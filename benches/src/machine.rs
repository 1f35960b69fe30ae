//! Where, when and with what was measured.

use std::fs;
use std::io;
use std::process::Command;
use std::thread;

const MCP_TASKS: &str = env!("CARGO_PKG_VERSION");

/// The versions of all that the servers depend on.
const LOCK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/servers/Cargo.lock");

/// What the report says before anything else.
pub(crate) fn head() -> io::Result<String> {
    let rmcp = locked("rmcp")?;
    Ok(format!(
        "# Results of the measurements\n\n\
         mcp-tasks {MCP_TASKS} beside rmcp {rmcp}, with cargo's release profile and the system's allocator. \
         `benches/README.md` says what each measurement does, how far its goals can be relied on, \
         and how to measure again.\n\n"
    ))
}

/// What one measurement is made on.
pub(crate) fn here() -> io::Result<String> {
    let cores = thread::available_parallelism()?;
    let processor = processor()?;
    let kernel = said_by("uname", &["-srm"])?;
    let rustc = said_by("rustc", &["--version"])?;
    Ok(format!("{cores} cores ({processor}), {kernel}, {rustc}"))
}

/// The processor, as the kernel names it.
fn processor() -> io::Result<String> {
    let cpus = fs::read_to_string("/proc/cpuinfo")?;
    let named = cpus
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let name = named.map_or("unknown", |name| name.trim_start_matches([' ', '\t', ':']));
    Ok(name.trim().to_owned())
}

/// When one measurement began, and of which commit.
pub(crate) fn stamp() -> io::Result<String> {
    let date = said_by("date", &["--utc", "+%F %R"])?;
    let commit = said_by("git", &["describe", "--always", "--exclude=*"])?;
    // What was measured before changes nothing about what is.
    let but_results = [
        ":/",
        ":(top,exclude)benches/results",
        ":(top,exclude)benches/RESULTS.md",
    ];
    let changed = said_by(
        "git",
        &[&["status", "--porcelain", "--"], &but_results[..]].concat(),
    )?;
    let dirty = if changed.is_empty() { "" } else { "-dirty" };
    Ok(format!("Measured on {date} UTC, commit {commit}{dirty}."))
}

/// What a program prints, without the end of its line.
fn said_by(program: &str, arguments: &[&str]) -> io::Result<String> {
    let output = Command::new(program).args(arguments).output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("{program} failed")));
    }
    let text = String::from_utf8(output.stdout).map_err(io::Error::other)?;
    Ok(text.trim_end().to_owned())
}

/// The version of a package that the servers are built with.
fn locked(package: &str) -> io::Result<String> {
    let lock = fs::read_to_string(LOCK)?;
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name).skip(1);
    lines
        .next()
        .and_then(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
        .map(str::to_owned)
        .ok_or_else(|| io::Error::other(format!("no version of {package} is locked")))
}
