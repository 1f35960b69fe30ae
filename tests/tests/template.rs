//! A project made from `templates/basic` is green as it is.
//!
//! The placeholders are filled in by string replacement, so that this needs neither the network nor a tool.
//! `templates/check` does the same with the real `cargo-generate`.

use std::collections::BTreeMap;
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
    // A name that a crate of the standard library has, and characters that mean something to TOML.
    let description = r#"Says "hi" # to C:\all."#;
    for (file, text) in filled_in(&root, "test", description, &source) {
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

/// What the front page has people type who do not use `cargo generate` comes to the same.
#[cfg(unix)]
#[test]
fn the_front_page_fills_the_template_in_by_hand() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = root.canonicalize().unwrap();
    let page = fs::read_to_string(root.join("README.md")).unwrap();
    let (_, commands) = page.split_once("the same by hand:\n\n```sh\n").unwrap();
    let (commands, _) = commands.split_once("```").unwrap();
    let beside = Path::new(env!("CARGO_TARGET_TMPDIR")).join("by-hand");
    let _ = fs::remove_dir_all(&beside);
    fs::create_dir_all(&beside).unwrap();
    std::os::unix::fs::symlink(&root, beside.join("mcp-tasks")).unwrap();
    let typed = Command::new("sh")
        .args(["-ec", commands])
        .current_dir(&beside)
        .status();
    assert!(typed.unwrap().success());

    let source = r#"path = "../mcp-tasks/mcp-tasks""#;
    let project = beside.join("ops");
    let mut wanted = filled_in(&root, "ops", "Releases services.", source);
    for file in files(&project) {
        let text = fs::read_to_string(project.join(&file)).unwrap();
        assert_eq!(Some(text), wanted.remove(&file), "{}", file.display());
    }
    assert!(wanted.is_empty(), "{wanted:?}");
    assert!(!project.join("cargo-generate.toml").exists());
}

/// The files of a project of this name: what `cargo generate` makes of the template.
fn filled_in(
    root: &Path,
    name: &str,
    description: &str,
    source: &str,
) -> BTreeMap<PathBuf, String> {
    let template = root.join("templates/basic");
    let files = files(&template).into_iter().map(|file| {
        let text = fs::read_to_string(template.join(&file)).unwrap();
        let text = text
            .replace("{{project-name}}", name)
            .replace("{{crate_name}}", name)
            .replace("{{description}}", description)
            .replace("{{mcp_tasks}}", source);
        (file, text)
    });
    files.collect()
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
