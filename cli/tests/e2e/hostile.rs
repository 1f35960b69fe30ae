//! Servers that would like to write to the terminal themselves.

use crate::run::{Ended, run};
use crate::site::{HARMLESS, Site, WIRES};

fn assert_clean(ended: &Ended) {
    for written in [&ended.stdout, &ended.stderr] {
        let harm = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!written.contains(harm), "{written:?}");
    }
}

#[test]
fn nothing_of_a_servers_reaches_the_terminal_as_more_than_text() {
    let site = Site::open();
    for wire in WIRES {
        for style in ["lines", "json"] {
            let words = [
                "call",
                "hostile",
                "--log",
                "debug",
                "--questions",
                "accept",
                "--status",
                style,
                "--url",
                &site.url,
            ];
            let ended = run(&[&words, wire].concat());
            assert_clean(&ended);
            assert_eq!(
                (ended.code, ended.stdout.trim()),
                (Some(0), HARMLESS),
                "{wire:?}: {ended:?}"
            );
        }
        let ended = run(&[&["call", "hostile_failure", "--url", &site.url], wire].concat());
        assert_clean(&ended);
        assert!(ended.stderr.contains(HARMLESS), "{ended:?}");
    }
    for words in [
        &["tools"][..],
        &["tools", "hostile"],
        &["tools", "hostile", "--json"],
    ] {
        assert_clean(&run(&[words, &["--url", &site.url]].concat()));
    }
}

#[test]
fn json_means_what_the_server_said_without_doing_it() {
    let site = Site::open();
    let ended = run(&[
        "call",
        "hostile",
        "--json",
        "--questions",
        "accept",
        "--url",
        &site.url,
    ]);
    assert_clean(&ended);
    assert_eq!(ended.json()["content"][0]["text"], crate::site::HARM);
}
