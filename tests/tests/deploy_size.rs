//! The first example stays as short as the front page says, and is the one the front page shows; so is its test.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Lines of the example that are not blank, at most.
const LINES: usize = 21;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join(path)).unwrap()
}

/// `source` as rustfmt writes it.
fn formatted(source: &str) -> String {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt is part of the toolchain file");
    rustfmt
        .stdin
        .take()
        .unwrap()
        .write_all(source.as_bytes())
        .unwrap();
    let output = rustfmt.wait_with_output().unwrap();
    assert!(output.status.success(), "rustfmt refused the source");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn deploy_is_at_most_21_lines_after_rustfmt() {
    let source = formatted(&read("examples/src/bin/deploy.rs"));
    let lines = source
        .lines()
        .filter(|line| !line.trim().is_empty())
        .count();
    assert!(lines <= LINES, "{lines} lines:\n{source}");
}

#[test]
fn the_front_page_shows_deploy_as_it_is() {
    let readme = read("README.md");
    let (_, block) = readme.split_once("```rust,no_run\n").expect("an example");
    let (block, _) = block.split_once("```").expect("the end of the example");
    assert_eq!(block, read("examples/src/bin/deploy.rs"));
}

#[test]
fn the_front_page_shows_its_test_as_it_is_run() {
    let readme = read("README.md");
    let shown = readme.split("```rust\n").skip(1);
    let mut shown = shown.filter_map(|block| block.split_once("```"));
    let run = read("examples/tests/deploy.rs");
    let (_, run) = run.split_once("deploy.rs\");\n\n").expect("the test");
    assert!(shown.any(|(block, _)| block == run), "not shown:\n{run}");
}
