//! What the front page shows of the program is what it does.

use std::fs;

use crate::run::{program, workspace};

/// How the front page runs the program, in place of which the test runs the one that it was built with.
const PROGRAM: [&str; 6] = ["cargo", "run", "-q", "-p", "mcp-tasks-cli", "--"];
/// Which of these is seen depends on when the program looks.
const STATUSES: [&str; 3] = ["working", "input_required", "completed"];

/// The command of the front page's transcript, and what it wrote.
fn transcript() -> (Vec<String>, String) {
    let readme = fs::read_to_string(workspace().join("README.md")).expect("a front page");
    let (_, block) = readme.split_once("```console\n$ ").expect("a transcript");
    let (block, _) = block.split_once("```").expect("its end");
    let block = block.replace("\\\n", " ");
    let (command, output) = block.split_once('\n').expect("output");
    (
        shell_words::split(command).expect("a command"),
        output.to_owned(),
    )
}

fn without_statuses(text: &str) -> Vec<&str> {
    let is_status = |line: &&str| STATUSES.iter().any(|status| line.starts_with(status));
    text.lines().filter(|line| !is_status(line)).collect()
}

#[test]
fn the_front_pages_transcript_is_what_its_command_writes() {
    let (words, shown) = transcript();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let words = words.strip_prefix(&PROGRAM[..]).expect("the program");
    // The cargo that runs this test runs the server too.
    let cargo = |word: &&str| {
        if *word == "cargo" {
            env!("CARGO").to_owned()
        } else {
            (*word).to_owned()
        }
    };
    let words: Vec<_> = words.iter().map(cargo).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let output = program(&words)
        .current_dir(workspace())
        .output()
        .expect("it starts");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(
        shown.lines().any(|line| line.starts_with("working")),
        "the front page shows progress"
    );
    assert_eq!(
        without_statuses(&shown),
        without_statuses(&(stderr + &stdout))
    );
}
