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

#[cfg(unix)]
#[test]
fn what_is_wrong_with_a_server_is_told() {
    let server = r#"read a; echo 'Welcome!'; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"chatty","version":"1"}}}'
        read a; read a; echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":7}]}}'; read a"#;
    let words = ["tools", "--wire", "2025-06-18"];
    let command = ["--", "sh", "-c", server];
    let ended = run(&[&words[..], &command].concat());
    assert_eq!((ended.code, &*ended.stdout), (Some(0), "a\n"), "{ended:?}");
    for warning in [
        "the server wrote something that is no message",
        "Welcome!",
        "a tool of the server's is left out",
    ] {
        assert!(ended.stderr.contains(warning), "{ended:?}");
    }
    let silent = run(&[&words[..], &["--status", "none"], &command].concat());
    assert_eq!(silent.stderr, "");
}

#[cfg(unix)]
#[test]
fn a_form_that_cannot_be_shown_is_told() {
    let server = r#"read a; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}}}'
        read a; read a; echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}}'
        read a; id=$(echo "$a" | sed 's/.*"id":\([0-9]*\).*/\1/'); echo '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"object"}}}}}'
        read a; echo '{"jsonrpc":"2.0","id":'$id',"result":{"content":[]}}'; read a"#;
    let ended = run(&[
        "call",
        "a",
        "--wire",
        "2025-06-18",
        "--",
        "sh",
        "-c",
        server,
    ]);
    assert_eq!((ended.code, &*ended.stdout), (Some(0), ""), "{ended:?}");
    let told = "a question of the server's cannot be put: the field `a` is of the type `object`";
    assert!(ended.stderr.contains(told), "{ended:?}");
}
