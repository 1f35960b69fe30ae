//! Where the server's program is.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Fault;

/// The program of another binary of this crate, which lies beside this one. Under cargo it is built
/// first: `cargo run --bin drive` by itself builds no other binary, and would use an old one.
pub(crate) fn find(name: &str) -> Result<PathBuf, Fault> {
    let here = std::env::current_exe()?;
    let path = here.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let cargo = std::env::var_os("CARGO");
    if cargo.is_some() || !path.exists() {
        let release = here
            .parent()
            .is_some_and(|folder| folder.ends_with("release"));
        let mut build = Command::new(cargo.unwrap_or_else(|| "cargo".into()));
        build.args([
            "build",
            "--quiet",
            "--locked",
            "--bin",
            name,
            "--manifest-path",
        ]);
        build.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
        build.args(release.then_some("--release"));
        if !build.status()?.success() {
            return Err(format!("cargo could not build {name}").into());
        }
    }
    if !path.exists() {
        return Err(format!("there is no {}", path.display()).into());
    }
    Ok(path)
}
