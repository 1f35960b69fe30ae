//! Writes the crates into a workspace of their own and compiles them.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use super::SIZES;
use super::sources::Way;
use crate::children;

/// The versions of everything the crates depend on.
const LOCK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/compile/Cargo.lock");

/// How a crate is compiled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Mode {
    Check,
    Build,
}

impl Mode {
    pub(super) const ALL: [Self; 2] = [Self::Check, Self::Build];

    pub(super) fn command(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Build => "build",
        }
    }
}

/// The workspace of the crates.
pub(super) struct Cargo {
    folder: PathBuf,
}

impl Cargo {
    /// Writes the crates, and compiles what they depend on.
    pub(super) fn prepare() -> io::Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .canonicalize()?;
        let cargo = Self {
            folder: root.join("target/benches/compile"),
        };
        let runtime = root.join("mcp-tasks");
        let mut members = Vec::new();
        for way in Way::ALL {
            for size in SIZES {
                let package = way.package(size);
                let folder = cargo.folder.join(&package);
                fs::create_dir_all(folder.join("src"))?;
                fs::write(folder.join("Cargo.toml"), way.manifest(size, &runtime))?;
                fs::write(folder.join("src/lib.rs"), way.library(size))?;
                members.push(package);
            }
        }
        let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
        fs::write(cargo.folder.join("Cargo.toml"), manifest)?;
        fs::copy(LOCK, cargo.folder.join("Cargo.lock"))?;
        // Crates of every size need the same.
        for mode in Mode::ALL {
            for way in Way::ALL {
                cargo.compile(mode, way, SIZES[0])?;
            }
        }
        Ok(cargo)
    }

    /// Compiles the crate anew and gives the seconds of CPU that took.
    pub(super) fn compile(&self, mode: Mode, way: Way, size: usize) -> io::Result<f64> {
        let package = way.package(size);
        let library = self.folder.join(&package).join("src/lib.rs");
        File::options()
            .write(true)
            .open(library)?
            .set_modified(SystemTime::now())?;
        let before = children::cpu()?;
        self.cargo(&[mode.command(), "--quiet", "-p", &package])?;
        Ok(children::cpu()? - before)
    }

    /// The lines of the crate after all macros of it are expanded.
    pub(super) fn expanded_lines(&self, way: Way, size: usize) -> io::Result<usize> {
        let package = way.package(size);
        let expand = [
            "rustc",
            "--quiet",
            "-p",
            &package,
            "--",
            "-Zunpretty=expanded",
        ];
        let text = self.cargo(&expand)?;
        Ok(text.lines().filter(|line| !line.trim().is_empty()).count())
    }

    /// Runs cargo on the workspace and gives what it prints.
    fn cargo(&self, arguments: &[&str]) -> io::Result<String> {
        let output = Command::new("cargo")
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            // A stable compiler shows expansions of these crates alone. Always set, since build scripts
            // run again when it changes.
            .env("RUSTC_BOOTSTRAP", crates().join(","))
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()?;
        if !output.status.success() {
            return Err(io::Error::other(format!("cargo {arguments:?} failed")));
        }
        String::from_utf8(output.stdout).map_err(io::Error::other)
    }
}

/// The names of all crates, as rustc knows them.
fn crates() -> Vec<String> {
    let sizes = |way: Way| SIZES.map(|size| way.package(size).replace('-', "_"));
    Way::ALL.into_iter().flat_map(sizes).collect()
}
