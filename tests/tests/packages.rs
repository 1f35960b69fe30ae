//! What a server of one tool pulls in, with the `cargo add` lines of the front page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Packages in such a server's lock file, itself included, at most.
const PACKAGES: usize = 45;

/// Bytes of its program, stripped, at most. It has 1,545,000 (1508 KiB in `benches/RESULTS.md`); what belongs to tasks, questions and
/// schemas of types, and is in none of its tools, would be 450,000 more.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const PROGRAM: u64 = 1_600_000;

const SERVER: &str = r#"use mcp_tasks::prelude::*;

/// Say hello.
#[mcp_tool]
async fn hello(name: String) -> String {
    format!("Hello, {name}!")
}

#[tokio::main]
async fn main() -> Result<(), mcp_tasks::Error> {
    Server::new("hello").tools(tools![hello]).serve_stdio().await
}
"#;

#[test]
fn a_server_of_one_tool_has_few_packages_and_one_syn() {
    let added = dependencies(&readme(), &root());
    assert!(
        added.starts_with("mcp-tasks = "),
        "the front page adds no mcp-tasks: {added}"
    );

    let lock = lock(&project("one-tool", &added));
    let packages: Vec<_> = lock
        .lines()
        .filter_map(|line| line.strip_prefix("name = "))
        .collect();
    assert!(
        packages.contains(&"\"mcp-tasks\""),
        "the lock file lacks mcp-tasks:\n{lock}"
    );
    assert!(
        packages.len() <= PACKAGES,
        "{} packages: {}",
        packages.len(),
        packages.join(" ")
    );
    let syns = packages.iter().filter(|name| **name == "\"syn\"").count();
    assert_eq!(syns, 1, "versions of syn in {}", packages.join(" "));
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn the_program_of_a_server_of_one_tool_is_small() {
    let project = project("small", &dependencies(&readme(), &root()));
    lock(&project);
    let target = project.join("target");
    let built = cargo(&project)
        .args(["build", "--release", "--locked", "--quiet"])
        .env("CARGO_TARGET_DIR", &target)
        .status();
    assert!(built.unwrap().success(), "the project does not build");
    let size = fs::metadata(target.join("release/one-tool")).unwrap().len();
    assert!(size <= PROGRAM, "{size} bytes");
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().unwrap()
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).unwrap()
}

/// The `cargo add` lines of `text` as lines of a manifest; a path becomes that of this workspace.
fn dependencies(text: &str, root: &Path) -> String {
    let commands = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("cargo add "))
        .filter(|command| !command.starts_with("--dev "));
    let lines = commands.map(|command| {
        let words: Vec<_> = command
            .split_whitespace()
            .take_while(|word| *word != "#")
            .collect();
        let option = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1).copied()
        };
        let source = match option("--path") {
            Some(_) => format!("path = '{}'", root.join(words[0]).display()),
            None => "version = \"*\"".to_owned(),
        };
        let features: Vec<_> = option("--features")
            .into_iter()
            .flat_map(|f| f.split(','))
            .collect();
        format!("{} = {{ {source}, features = {features:?} }}\n", words[0])
    });
    lines.collect()
}

/// A crate with these dependencies, and with the workspace's lock file, so that nothing is newer in
/// it than what the workspace was built with.
fn project(name: &str, dependencies: &str) -> PathBuf {
    let project = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(project.join("src")).unwrap();
    let manifest = format!(
        "[workspace]\n[package]\nname = \"one-tool\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [profile.release]\nstrip = true\n[dependencies]\n{dependencies}"
    );
    fs::write(project.join("Cargo.toml"), manifest).unwrap();
    fs::write(project.join("src/main.rs"), SERVER).unwrap();
    fs::copy(root().join("Cargo.lock"), project.join("Cargo.lock")).unwrap();
    project
}

fn cargo(project: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(project);
    command
}

/// The project's own lock file: cargo drops what the project does not use. That needs no network
/// where the workspace has been built; elsewhere cargo asks the registry.
fn lock(project: &Path) -> String {
    let update = |options: &[&str]| {
        let mut command = cargo(project);
        command
            .args(["update", "--workspace", "--quiet"])
            .args(options);
        command.status().unwrap().success()
    };
    assert!(
        update(&["--offline"]) || update(&[]),
        "cargo could not resolve the project"
    );
    fs::read_to_string(project.join("Cargo.lock")).unwrap()
}

#[test]
fn cargo_add_lines_are_read_with_their_options() {
    let text =
        "```sh\ncargo add mcp-tasks --path ../x # why\ncargo add tokio --features rt,time\n```";
    assert_eq!(
        dependencies(text, Path::new("/w")),
        "mcp-tasks = { path = '/w/mcp-tasks', features = [] }\n\
         tokio = { version = \"*\", features = [\"rt\", \"time\"] }\n"
    );
}
