//! Calls and their ends.

use std::net::TcpListener;

use serde_json::json;

use crate::run::{example, run};
use crate::site::{Site, WIRES};

#[test]
fn a_call_ends_the_same_on_every_wire() {
    let site = Site::open();
    for wire in WIRES {
        let call = |words: &[&str]| run(&[&["call"], words, &["--url", &site.url], wire].concat());
        let sum = call(&["add", "a=2", "b:=3"]);
        assert_eq!(
            (sum.code, sum.stdout.trim()),
            (Some(0), "5"),
            "{wire:?}: {sum:?}"
        );
        let said = call(&["echo", "text=7"]);
        assert_eq!(
            (said.code, said.stdout.trim()),
            (Some(0), "7"),
            "{wire:?}: {said:?}"
        );
        let failed = call(&["fail"]);
        assert_eq!(
            (failed.code, failed.stdout.trim()),
            (Some(1), "the disk is full"),
            "{wire:?}: {failed:?}"
        );
        let refused = call(&["refuse"]);
        assert_eq!(
            (refused.code, &*refused.stdout),
            (Some(3), ""),
            "{wire:?}: {refused:?}"
        );
        assert!(
            refused.stderr.contains("no such ledger (-32602)"),
            "{wire:?}: {refused:?}"
        );
    }
}

#[test]
fn a_process_is_called_like_an_address() {
    let deploy = example("deploy");
    let deployed = run(&[
        "call",
        "deploy",
        "env=prod",
        "--answer",
        "confirm=false",
        "--",
        &deploy,
    ]);
    assert_eq!(
        (deployed.code, deployed.stdout.trim()),
        (Some(0), "not deployed"),
        "{deployed:?}"
    );
}

#[test]
fn json_is_the_result_as_it_came() {
    let site = Site::open();
    let call = [
        "call",
        "add",
        "a=2",
        "b=3",
        "--json",
        "--wire",
        "2025-11-25",
        "--url",
        &site.url,
    ];
    let result = run(&call).json();
    assert_eq!(result["content"], json!([{ "type": "text", "text": "5" }]));
    let tools = run(&["tools", "--json", "--url", &site.url]).json();
    let names = tools["tools"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|tool| &tool["name"]);
    assert!(names.into_iter().any(|name| name == "add"));
    let tool = run(&["tools", "add", "--json", "--url", &site.url]).json();
    assert_eq!(tool["inputSchema"]["required"], json!(["a", "b"]));
}

#[test]
fn status_as_json_is_a_line_for_each_event() {
    let site = Site::open();
    let failed = run(&["call", "refuse", "--status", "json", "--url", &site.url]);
    let events = failed.events();
    assert_eq!(events[0]["event"], "status");
    assert_eq!(events[0]["task"]["status"], "working");
    let error = events.last().expect("an end");
    assert_eq!(error["event"], "error");
    assert_eq!(error["error"]["code"], -32602);
    assert_eq!(error["exit"], 3);
    let silent = run(&[
        "call",
        "steps",
        "--status",
        "none",
        "--no-tasks",
        "--url",
        &site.url,
    ]);
    assert_eq!((silent.code, &*silent.stderr), (Some(0), ""), "{silent:?}");
}

#[test]
fn progress_is_told_in_lines_where_there_is_no_terminal() {
    let site = Site::open();
    for wire in [
        &["--no-tasks"][..],
        &["--wire", "2025-11-25"],
        &["--wire", "2026-07-28"],
    ] {
        let steps = run(&[&["call", "steps", "--url", &site.url], wire].concat());
        assert_eq!(
            (steps.code, steps.stdout.trim()),
            (Some(0), "done"),
            "{steps:?}"
        );
        assert!(steps.stderr.contains("stepping ("), "{wire:?}: {steps:?}");
    }
}

#[test]
fn arguments_that_do_not_fit_are_named_and_nothing_is_called() {
    let site = Site::open();
    let nap = |words: &[&str]| run(&[&["call", "nap"], words, &["--url", &site.url]].concat());
    for (words, fault) in [
        (&[][..], "`millis` is missing: expected a whole number"),
        (
            &["millis=soon"],
            "`millis`: expected a whole number, got \"soon\"",
        ),
        (
            &["milis=1"],
            "`milis`: unknown argument; is `millis` meant?",
        ),
        (&["millis=1", "millis=2"], "`millis`: given 2 times"),
        (&["millis=-1"], "`millis`: -1 is less than the minimum of 0"),
        (
            &["millis"],
            "\"millis\" is none of `name=value` and `name:=JSON`",
        ),
    ] {
        let refused = nap(words);
        assert_eq!(refused.code, Some(2), "{words:?}: {refused:?}");
        assert!(refused.stderr.contains(fault), "{words:?}: {refused:?}");
    }
    assert_eq!(site.probe.started(), 0);
    let unchecked = nap(&["millis=soon", "--unchecked"]);
    assert_eq!(unchecked.code, Some(1), "the server judges: {unchecked:?}");
}

#[test]
fn a_wish_to_keep_the_result_that_reaches_nobody_is_told() {
    let site = Site::open();
    let kept = |tool: &[&str], wire: &[&str]| {
        let words = [&["call"], tool, &["--keep", "1h", "--url", &site.url], wire].concat();
        let kept = run(&words);
        assert_eq!(kept.code, Some(0), "{kept:?}");
        kept.stderr
    };
    let (echo, add) = (&["echo", "text=a"][..], &["add", "a=2", "b=3"][..]);
    for (tool, wire, why) in [
        (
            echo,
            &["--wire", "2026-07-28"][..],
            "on the wire 2026-07-28 the server alone says how long it keeps a task",
        ),
        (
            echo,
            &["--wire", "2025-06-18"],
            "there are no tasks on the wire 2025-06-18",
        ),
        (
            echo,
            &["--no-tasks"],
            "with --no-tasks calls do not become tasks",
        ),
        (add, &["--wire", "2025-11-25"], "`add` is never a task"),
    ] {
        let told = kept(tool, wire);
        let note = format!("--keep has no effect: {why}\n");
        assert!(told.contains(&note), "{wire:?}: {told}");
    }
    for wire in ["2025-11-25", "sep-1686"] {
        let told = kept(echo, &["--wire", wire]);
        assert!(!told.contains("--keep"), "{wire}: {told}");
    }
}

#[test]
fn a_tool_that_is_not_there_is_named_with_the_nearest() {
    let site = Site::open();
    for words in [&["call", "eco", "text=1"][..], &["tools", "eco"]] {
        let missing = run(&[words, &["--url", &site.url]].concat());
        assert_eq!(missing.code, Some(2), "{missing:?}");
        assert!(
            missing
                .stderr
                .contains("e2e has no tool `eco`; is `echo` meant?"),
            "{missing:?}"
        );
    }
}

#[test]
fn a_server_that_is_not_there_is_told_from_one_that_fails() {
    let port = TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("bound");
    let nobody = format!("http://{port}/mcp");
    for (place, why) in [
        (&["--url", &nobody][..], "cannot reach http://"),
        (&["--", "/nowhere/at/all"], "cannot reach `/nowhere/at/all`"),
        (
            &["--", "false"],
            "`false` did not answer the client's greeting: its process ended (exit status: 1)",
        ),
    ] {
        let ended = run(&[&["tools"], place].concat());
        assert_eq!(
            (ended.code, &*ended.stdout),
            (Some(4), ""),
            "{place:?}: {ended:?}"
        );
        assert!(ended.stderr.contains(why), "{ended:?}");
    }
    let site = Site::with_users();
    let refused = run(&["tools", "--url", &site.url]);
    assert_eq!(refused.code, Some(4), "{refused:?}");
    assert!(
        refused.stderr.contains("401") && refused.stderr.contains("bearer"),
        "{refused:?}"
    );
    for token in [
        &["--bearer", "s3cret"],
        &["--header", "authorization: Bearer s3cret"],
    ] {
        let welcome = run(&[&["tools", "--url", &site.url], &token[..]].concat());
        assert_eq!(welcome.code, Some(0), "{welcome:?}");
    }
}

#[cfg(unix)]
#[test]
fn what_a_server_writes_to_standard_error_is_shown_line_by_line() {
    let ended = run(&["tools", "--", "sh", "-c", "printf 'one\\ntw\\033[31mo' >&2"]);
    assert_eq!(ended.code, Some(4), "{ended:?}");
    assert!(
        ended.stderr.starts_with("server| one\nserver| two\n"),
        "{ended:?}"
    );
}

#[test]
fn a_call_that_takes_too_long_is_cancelled() {
    let site = Site::open();
    for wire in WIRES {
        let words = [
            "call",
            "nap",
            "millis=600000",
            "--timeout",
            "300ms",
            "--url",
            &site.url,
        ];
        let over = run(&[&words, wire].concat());
        assert_eq!(
            (over.code, &*over.stdout),
            (Some(5), ""),
            "{wire:?}: {over:?}"
        );
        assert!(
            over.stderr.contains("--timeout is over"),
            "{wire:?}: {over:?}"
        );
    }
}

#[test]
fn a_tool_is_described_with_its_arguments() {
    let site = Site::open();
    let described = run(&["tools", "add", "--url", &site.url]);
    assert_eq!(
        described.stdout,
        "add\n  Adds two numbers.\n\nArguments:\n  a (a whole number, required)\n      The first\n  \
         b (a whole number, required)\n"
    );
    let listed = run(&["tools", "--url", &site.url]);
    assert!(
        listed
            .stdout
            .lines()
            .any(|line| line.starts_with("add ") && line.ends_with("Adds two numbers."))
    );
}
