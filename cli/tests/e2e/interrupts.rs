//! Ctrl-C, once and twice.

use crate::run::{Running, example, run, shell};
use crate::site::{Site, WIRES};

#[test]
fn the_first_cancels_the_call_and_waits_for_its_end() {
    let site = Site::open();
    for wire in WIRES {
        let words = [
            "call",
            "ask_then_steps",
            "--answer",
            "name=Ada",
            "--url",
            &site.url,
        ];
        let mut call = Running::start(&[&words, wire].concat());
        call.until("accepted");
        call.interrupt();
        call.until("cancelling; another Ctrl-C leaves the call to itself");
        let ended = call.end();
        assert_eq!(
            (ended.code, &*ended.stdout),
            (Some(130), ""),
            "{wire:?}: {ended:?}"
        );
        assert!(
            ended.stderr.contains("was cancelled"),
            "{wire:?}: {ended:?}"
        );
    }
}

#[test]
fn a_process_is_not_interrupted_with_its_caller() {
    let deploy = example("deploy");
    let mut call = Running::start(&[
        "call",
        "deploy",
        "env=prod",
        "--questions",
        "accept",
        "--",
        &deploy,
    ]);
    call.until("accepted");
    call.interrupt();
    call.until("cancelling; another Ctrl-C ends the server");
    let ended = call.end();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(
        ended.stderr.contains("the call of `deploy` was cancelled"),
        "{ended:?}"
    );
}

#[test]
fn what_completes_all_the_same_is_a_result() {
    let site = Site::open();
    let mut call = Running::start(&["call", "stubborn", "--url", &site.url]);
    call.until("working");
    call.interrupt();
    call.until("cancelling");
    site.release.notify_one();
    let ended = call.end();
    assert_eq!(
        (ended.code, ended.stdout.trim()),
        (Some(0), "released"),
        "{ended:?}"
    );
}

#[test]
fn the_second_leaves_a_task_to_itself_and_tells_how_to_come_back() {
    let site = Site::open();
    let mut call = Running::start(&["call", "stubborn", "--url", &site.url]);
    call.until("working");
    call.interrupt();
    call.until("cancelling");
    call.interrupt();
    call.until("to come back:");
    let command = call.until("mcp-tasks task wait");
    let ended = call.end();
    assert_eq!((ended.code, &*ended.stdout), (Some(130), ""), "{ended:?}");

    let words: Vec<_> = command.split_whitespace().skip(1).collect();
    let back = Running::start(&words);
    site.release.notify_one();
    let ended = back.end();
    assert_eq!(
        (ended.code, ended.stdout.trim()),
        (Some(0), "released"),
        "{ended:?}"
    );
}

#[test]
fn the_second_ends_a_server_that_is_a_process() {
    // It makes a task of the call, and then answers nothing any more.
    let server = shell(
        r#"
        answer '"result":{"supportedVersions":["2026-07-28"],"capabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}'
        answer '"result":{"tools":[{"name":"wait","inputSchema":{"type":"object"}}]}'
        time='"createdAt":"2026-11-30T12:00:00Z","lastUpdatedAt":"2026-11-30T12:00:00Z","ttlMs":null'
        answer "\"result\":{\"resultType\":\"task\",\"taskId\":\"t\",\"status\":\"working\",$time}"
        while read a; do :; done"#,
    );
    let mut call = Running::start(&["call", "wait", "--", "sh", "-c", &server]);
    call.until("working");
    call.interrupt();
    call.until("cancelling; another Ctrl-C ends the server");
    call.interrupt();
    let ended = call.end();
    assert_eq!((ended.code, &*ended.stdout), (Some(130), ""), "{ended:?}");
    assert!(!ended.stderr.contains("come back"), "{ended:?}");
}

#[test]
fn interrupted_before_its_call_nothing_is_left_behind() {
    let mut connecting = Running::start(&[
        "tools",
        "--",
        "sh",
        "-c",
        "echo up >&2; while read a; do :; done",
    ]);
    connecting.until("up");
    connecting.interrupt();
    let ended = connecting.end();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(ended.stderr.contains("interrupted"), "{ended:?}");
    assert_eq!(run(&["--version"]).code, Some(0));
}

#[test]
fn while_a_server_is_away_the_wait_for_it_is_told() {
    let site = Site::open();
    let place = ["--wire", "2026-07-28", "--url", &site.url];
    let mut call = Running::start(&[&["call", "nap", "millis=600000"], &place[..]].concat());
    call.until("the call is the task");
    drop(site);
    let told = call.until("looking again in ");
    assert!(told.starts_with("cannot reach http://"), "{told}");
    call.interrupt();
    call.until("cancelling");
    call.interrupt();
    assert_eq!(call.end().code, Some(130));
}
