//! A project made from `templates/basic` is green as it is.
//!
//! The placeholders are filled in by string replacement, so that this needs neither the network nor a tool.
//! `templates/check` does the same with the real `cargo-generate`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many tests such a project has.
const TESTS: &str = "5 passed; 0 failed";

#[test]
fn a_project_made_from_the_template_is_green() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = root.canonicalize().unwrap();
    let project = Path::new(env!("CARGO_TARGET_TMPDIR")).join("template");
    let _ = fs::remove_dir_all(&project);

    let source = format!("path = '{}'", root.join("mcp-tasks").display());
    let filled_in = |text: &str| {
        // A name that a crate of the standard library has, and characters that mean something to TOML.
        text.replace("{{project-name}}", "test")
            .replace("{{crate_name}}", "test")
            .replace("{{description}}", r#"Says "hi" # to C:\all."#)
            .replace("{{mcp_tasks}}", &source)
    };
    for file in files(&root.join("templates/basic")) {
        let text =
            filled_in(&fs::read_to_string(root.join("templates/basic").join(&file)).unwrap());
        for left in ["{{", "{%"] {
            assert!(!text.contains(left), "{}: `{left}` is left", file.display());
        }
        let path = project.join(&file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    // It lies inside this workspace and is none of its members.
    let manifest = fs::read_to_string(project.join("Cargo.toml")).unwrap();
    fs::write(project.join("Cargo.toml"), manifest + "\n[workspace]\n").unwrap();
    fs::copy(root.join("Cargo.lock"), project.join("Cargo.lock")).unwrap();

    let said = cargo_test(&project);
    assert!(said.contains(TESTS), "not {TESTS}:\n{said}");
}

/// What `cargo generate` takes over from a template, as paths below it.
fn files(template: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![template.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("cargo-generate.toml") {
                found.push(path.strip_prefix(template).unwrap().to_owned());
            }
        }
    }
    found
}

/// Runs the project's tests with what the workspace has downloaded, and in its target folder, where most of it is
/// built already.
fn cargo_test(project: &Path) -> String {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["test", "--offline"])
        .env("CARGO_TARGET_DIR", target)
        .current_dir(project);
    // The workspace's profile, without which everything would be built once more.
    if std::env::var_os("CARGO_PROFILE_DEV_DEBUG").is_none() {
        command.env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complained}");
    assert!(!complained.contains("warning"), "{complained}");
    said
}
