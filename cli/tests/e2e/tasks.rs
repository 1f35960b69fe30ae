//! Tasks, by their ids.

use serde_json::Value;

use crate::run::{Ended, Running, example, run};
use crate::site::Site;

/// A call that has become a task, and the task's id.
fn begun(site: &Site, words: &[&str]) -> (Running, String) {
    let place = ["--status", "json", "--url", &site.url];
    let mut call = Running::start(&[&["call"], words, &place].concat());
    let event: Value = serde_json::from_str(&call.until("\"status\"")).expect("JSON");
    let id = event["task"]["taskId"].as_str().expect("an id").to_owned();
    (call, id)
}

fn task(site: &Site, what: &str, id: &str, words: &[&str]) -> Ended {
    run(&[&["task", what, id, "--url", &site.url], words].concat())
}

const SOMEBODY: [&str; 4] = ["--wire", "2025-11-25", "--bearer", "s3cret"];

#[test]
fn a_task_is_seen_cancelled_and_gone() {
    let site = Site::open();
    let (call, id) = begun(&site, &["nap", "millis=600000"]);
    let seen = task(&site, "get", &id, &["--json"]).json();
    assert_eq!(seen["status"], "working");
    let early = task(&site, "result", &id, &[]);
    assert_eq!(early.code, Some(3), "{early:?}");
    assert!(
        early.stderr.contains("has not ended: it is `working`"),
        "{early:?}"
    );
    let cancelled = task(&site, "cancel", &id, &[]);
    assert_eq!(cancelled.code, Some(0), "{cancelled:?}");
    assert!(cancelled.stdout.starts_with(&id), "{cancelled:?}");
    let ended = call.end();
    assert_eq!(ended.code, Some(130), "whoever cancelled it: {ended:?}");
    let nobody = task(&site, "get", "no-such-task", &[]);
    assert_eq!(nobody.code, Some(3), "{nobody:?}");
}

#[test]
fn a_call_over_http_tells_the_id_of_its_task() {
    let site = Site::open();
    let words = ["call", "nap", "millis=600000", "--url", &site.url];
    let mut call = Running::start(&words);
    let line = call.until("the call is the task ");
    let id = line.trim().rsplit(' ').next().expect("an id").to_owned();
    assert_eq!(task(&site, "cancel", &id, &[]).code, Some(0));
    assert_eq!(call.end().code, Some(130));
    let waited = task(&site, "wait", &id, &[]);
    assert!(!waited.stderr.contains("the call is"), "{waited:?}");
}

#[test]
fn a_list_of_nothing_says_so_beside_it() {
    let site = Site::with_users();
    let listed = run(&[&["task", "list", "--url", &site.url], &SOMEBODY[..]].concat());
    let got = (listed.code, &*listed.stdout, &*listed.stderr);
    assert_eq!(got, (Some(0), "", "e2e has no tasks for you\n"));
    let words = ["task", "list", "--wire", "2025-11-25", "--"];
    let new = run(&[&words[..], &[&example("deploy")]].concat());
    let note = "has no tasks for you; it was started just now\n";
    assert!(new.stderr.ends_with(note), "{new:?}");
}

#[test]
fn the_result_of_a_task_that_has_ended_is_there_to_be_had() {
    let site = Site::open();
    let (call, id) = begun(&site, &["echo", "text=hello"]);
    assert_eq!(call.end().code, Some(0));
    for what in ["result", "wait"] {
        let again = task(&site, what, &id, &[]);
        assert_eq!(
            (again.code, again.stdout.trim()),
            (Some(0), "hello"),
            "{what}: {again:?}"
        );
    }
}

#[test]
fn a_task_is_waited_for_with_its_questions() {
    let site = Site::open();
    let (mut call, id) = begun(&site, &["stubborn"]);
    call.interrupt();
    call.until("cancelling");
    call.interrupt();
    call.end();
    let over = task(&site, "wait", &id, &["--timeout", "200ms"]);
    assert_eq!(over.code, Some(5), "{over:?}");
    site.release.notify_one();
    let waited = task(&site, "wait", &id, &["--json"]);
    assert_eq!(waited.json()["content"][0]["text"], "released");
}

#[test]
fn tasks_are_listed_for_their_owner() {
    let site = Site::with_users();
    let words = [&["echo", "text=a", "--keep", "1h"], &SOMEBODY[..]].concat();
    let (call, id) = begun(&site, &words);
    assert_eq!(call.end().code, Some(0));
    let listed = run(&[
        &["task", "list", "--json", "--url", &site.url],
        &SOMEBODY[..],
    ]
    .concat())
    .json();
    assert_eq!(listed["tasks"][0]["taskId"], id);
    let words = run(&[&["task", "list", "--url", &site.url], &SOMEBODY[..]].concat());
    assert!(
        words.stdout.starts_with(&format!("{id}  completed\n")),
        "{words:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_task_of_the_draft_is_deleted() {
    let server = r#"read a; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"draft","version":"1"}}}'
        read a; read a; echo "$a" >&2; echo '{"jsonrpc":"2.0","id":2,"result":{}}'; read a"#;
    let deleted = run(&[
        "task", "delete", "t-1", "--wire", "draft", "--", "sh", "-c", server,
    ]);
    assert_eq!(
        (deleted.code, &*deleted.stdout),
        (Some(0), "t-1  deleted\n"),
        "{deleted:?}"
    );
    assert!(deleted.stderr.contains("tasks/delete"), "{deleted:?}");
}

#[test]
fn what_a_wire_does_not_have_is_said() {
    let site = Site::open();
    for (wire, why) in [
        (
            "2026-07-28",
            "has no list of tasks: each is found by its id",
        ),
        (
            "2025-11-25",
            "e2e offers this client no list of tasks: servers have one for callers that they can tell apart, by a token",
        ),
        ("2025-06-18", "the wire 2025-06-18 has no tasks"),
    ] {
        let listed = run(&["task", "list", "--wire", wire, "--url", &site.url]);
        assert_eq!(listed.code, Some(3), "{listed:?}");
        assert!(listed.stderr.contains(why), "{wire}: {listed:?}");
    }
    let deleted = task(&site, "delete", "some-task", &[]);
    assert_eq!(deleted.code, Some(3), "{deleted:?}");
}
