//! Calls that are left running on purpose.

use crate::run::{Running, run};
use crate::site::Site;

/// The wires whose tasks another run of the program can follow.
const TASK_WIRES: [&str; 2] = ["2026-07-28", "2025-11-25"];

#[test]
fn a_call_is_left_running_and_come_back_to() {
    let site = Site::open();
    for wire in TASK_WIRES {
        let place = ["--url", &site.url, "--wire", wire];
        let left = run(&[&["call", "stubborn", "--detach"], &place[..]].concat());
        assert_eq!(left.code, Some(0), "{wire}: {left:?}");
        let id = left.stdout.trim_end();
        assert!(
            !id.is_empty() && !id.contains(char::is_whitespace),
            "the id alone: {left:?}"
        );
        let command = format!(
            "to come back:\n  mcp-tasks task wait {id} --url {} --wire {wire}\n",
            site.url
        );
        assert_eq!(left.stderr, command, "{wire}");
        let seen = run(&[&["task", "get", id, "--json"], &place[..]].concat());
        assert_eq!(seen.json()["status"], "working", "{wire}");

        let words: Vec<_> = command.split_whitespace().skip(4).collect();
        let back = Running::start(&words);
        site.release.notify_one();
        let ended = back.end();
        let got = (ended.code, ended.stdout.trim());
        assert_eq!(got, (Some(0), "released"), "{wire}: {ended:?}");
    }
}

#[test]
fn programs_get_the_task_and_the_way_back() {
    let site = Site::open();
    let words = [
        "call", "nap", "millis=1", "--detach", "--json", "--status", "json", "--url", &site.url,
    ];
    let left = run(&words);
    let id = left.json()["taskId"].clone();
    let event = &left.events()[0];
    assert_eq!((&event["event"], &event["task_id"]), (&"left".into(), &id));
    let command = event["command"].as_str().expect("a command");
    assert!(command.starts_with("mcp-tasks task wait "), "{command}");
}

#[test]
fn questions_wait_for_whoever_comes_back() {
    let site = Site::open();
    // The task may ask before it is left, or after that: neither is answered.
    for wire in TASK_WIRES.iter().cycle().take(20) {
        let place = ["--url", &site.url, "--wire", wire];
        let left = run(&[&["call", "ask", "--detach"], &place[..]].concat());
        assert!(!left.stderr.contains("asks:"), "{left:?}");
        let id = left.stdout.trim_end();
        let words = ["task", "wait", id, "--answer", "name=Ada"];
        let ended = run(&[&words, &place[..]].concat());
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert!(ended.stderr.contains("accepted (by --answer)"), "{ended:?}");
    }
}

#[test]
fn what_ends_with_the_program_is_not_left() {
    let site = Site::open();
    let command = ["--", "/nowhere/at/all"];
    let draft = ["--url", &site.url, "--wire", "sep-1686"];
    let no_tasks = ["--url", &site.url, "--no-tasks"];
    for (place, why) in [
        (&command[..], "ends with mcp-tasks, and its tasks with it"),
        (&draft, "a task belongs to its session"),
        (&no_tasks, "cannot be used with"),
    ] {
        let refused = run(&[&["call", "nap", "millis=1", "--detach"], place].concat());
        assert_eq!(
            (refused.code, &*refused.stdout),
            (Some(2), ""),
            "{refused:?}"
        );
        assert!(refused.stderr.contains(why), "{refused:?}");
    }
    assert_eq!(site.probe.started(), 0);
}

#[test]
fn where_there_are_no_tasks_nothing_is_called() {
    let site = Site::open();
    for (tool, wire, why) in [
        ("nap", "2025-06-18", "no tasks on the wire 2025-06-18"),
        ("wait", "2025-11-25", "`wait` is never a task"),
    ] {
        let words = ["call", tool, "millis=1", "--detach", "--wire", wire];
        let refused = run(&[&words[..], &["--url", &site.url]].concat());
        let got = (refused.code, &*refused.stdout);
        assert_eq!(got, (Some(3), ""), "{refused:?}");
        assert!(refused.stderr.contains(why), "{refused:?}");
        assert!(refused.stderr.contains("nothing was called"), "{refused:?}");
    }
    assert_eq!(site.probe.started(), 0);
}

#[test]
fn an_answer_in_place_of_a_task_is_an_error_that_shows_it() {
    let site = Site::open();
    let words = ["call", "add", "a=2", "b=3", "--detach"];
    let answered = run(&[&words[..], &["--url", &site.url]].concat());
    let got = (answered.code, &*answered.stdout);
    assert_eq!(got, (Some(3), ""), "{answered:?}");
    let why = "made no task of the call and answered it with a result, so nothing is left running:\n  5\n";
    assert!(answered.stderr.ends_with(why), "{answered:?}");
}

#[cfg(unix)]
#[test]
fn interrupted_before_there_is_a_task_the_call_is_cancelled() {
    let site = Site::open();
    let words = ["call", "wait", "millis=600000", "--detach"];
    let call = Running::start(&[&words[..], &["--url", &site.url]].concat());
    let until = |reached: &dyn Fn() -> bool| {
        while !reached() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    };
    until(&|| site.probe.started() == 1);
    call.interrupt();
    let ended = call.end();
    let got = (ended.code, &*ended.stdout);
    assert_eq!(got, (Some(130), ""), "{ended:?}");
    until(&|| site.probe.dropped() == 1);
}
