//! The servers that are measured: packages of `benches/servers`, a workspace of its own, since what other
//! crates depend on is nothing to ours.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Whose server it is, which is its package's name too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Package {
    McpTasks,
    Rmcp,
    /// As little as can answer at all.
    Floor,
}

impl Package {
    fn name(self) -> &'static str {
        match self {
            Self::McpTasks => "mcp-tasks-server",
            Self::Rmcp => "rmcp-server",
            Self::Floor => "floor-server",
        }
    }

    /// Builds the package for release, alone, for features of what others depend on would be joined to
    /// its own. Gives the folder of its programs.
    pub(crate) fn build(self) -> io::Result<PathBuf> {
        let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
        let target = benches.join("../target/benches/servers").join(self.name());
        eprintln!("building {}", self.name());
        let status = Command::new("cargo")
            .args([
                "build",
                "--release",
                "--locked",
                "--quiet",
                "-p",
                self.name(),
            ])
            .arg("--target-dir")
            .arg(&target)
            .current_dir(benches.join("servers"))
            .stdin(Stdio::null())
            .status()?;
        if !status.success() {
            return Err(io::Error::other(format!("{} does not build", self.name())));
        }
        Ok(target.join("release"))
    }
}
