//! What a server of one tool pulls in, with the `cargo add` lines of the front page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Packages in such a server's lock file, itself included, at most.
const PACKAGES: usize = 45;

#[test]
fn a_server_of_one_tool_has_few_packages_and_one_syn() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap();
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let added = dependencies(&readme, &root);
    assert!(
        added.starts_with("mcp-tasks = "),
        "the front page adds no mcp-tasks: {added}"
    );

    let lock = lock(&project(&root, &added));
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
fn project(root: &Path, dependencies: &str) -> PathBuf {
    let project = Path::new(env!("CARGO_TARGET_TMPDIR")).join("one-tool");
    fs::create_dir_all(project.join("src")).unwrap();
    let manifest = format!(
        "[workspace]\n[package]\nname = \"one-tool\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dependencies]\n{dependencies}"
    );
    fs::write(project.join("Cargo.toml"), manifest).unwrap();
    fs::write(project.join("src/main.rs"), "fn main() {}\n").unwrap();
    fs::copy(root.join("Cargo.lock"), project.join("Cargo.lock")).unwrap();
    project
}

/// The project's own lock file: cargo drops what the project does not use. That needs no network
/// where the workspace has been built; elsewhere cargo asks the registry.
fn lock(project: &Path) -> String {
    let update = |options: &[&str]| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(["update", "--workspace", "--quiet"])
            .args(options);
        command.current_dir(project).status().unwrap().success()
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
