//! Prompts and bars, in a terminal that the test plays the user of.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::pty::{CTRL_C, DOWN, ENTER, Terminal};
use crate::run::shell;
use crate::site::{HARMLESS, Site};

#[test]
fn a_form_is_asked_field_by_field_and_sent_after_a_look() {
    let site = Site::open();
    let mut terminal = Terminal::open(&["call", "order", "--url", &site.url], &[]);
    terminal.until("e2e (order) asks: What may it be?");
    terminal.answer("Dismiss", ENTER);
    terminal.answer("Fish", &format!("{DOWN}{ENTER}"));
    terminal.answer("salad", &format!(" {DOWN} {ENTER}"));
    terminal.until("guests (enter for 2)");
    terminal.answer("\u{203a}", &format!("13{ENTER}"));
    terminal.until("expected a whole number (1 to 12)");
    terminal.types(&format!("{}12{ENTER}", "\x7f".repeat(2)));
    terminal.answer("no", &format!("\x1b[A{ENTER}"));
    terminal.answer("note (enter leaves it out)", ENTER);
    terminal.answer("Change it", ENTER);
    let wanted =
        json!({ "meal": "fish", "sides": ["rice", "beans"], "guests": 12, "outside": true });
    terminal.until("accepted: ");
    terminal.until("{\"");
    terminal.until("}");
    let shown = terminal
        .shown
        .lines()
        .rev()
        .find(|line| line.contains("{\""))
        .expect("a result");
    let result = &shown[shown.find('{').expect("an object")..];
    assert_eq!(
        serde_json::from_str::<Value>(result.trim()).expect(result),
        wanted
    );
    assert_eq!(terminal.end(), Some(0));
    assert!(terminal.echoes());
}

#[test]
fn declining_and_dismissing_are_offered() {
    let site = Site::open();
    for (keys, result) in [
        (format!("{DOWN}{ENTER}"), "declined"),
        (format!("{DOWN}{DOWN}{ENTER}"), "dismissed"),
        ("\x1b".to_owned(), "dismissed"),
    ] {
        let mut terminal = Terminal::open(&["call", "ask", "--url", &site.url], &[]);
        terminal.until("e2e (ask) asks: What is your name?");
        terminal.answer("Dismiss", &keys);
        terminal.until(&format!("  {result}"));
        terminal.until(result);
        assert_eq!(terminal.end(), Some(0));
    }
}

#[test]
fn ctrl_c_at_a_question_cancels_the_call_and_leaves_the_terminal_in_order() {
    let site = Site::open();
    let mut terminal = Terminal::open(&["call", "ask", "--url", &site.url], &[]);
    terminal.answer("Dismiss", CTRL_C);
    terminal.until("cancelling");
    terminal.until("was cancelled");
    assert_eq!(terminal.end(), Some(130));
    assert!(terminal.echoes());
}

#[test]
fn a_question_that_is_withdrawn_leaves_the_terminal_in_order() {
    let site = Site::open();
    let words = ["call", "ask", "--timeout", "1s", "--url", &site.url];
    let mut terminal = Terminal::open(&words, &[]);
    terminal.until("Dismiss");
    assert_eq!(terminal.end(), Some(5));
    assert!(terminal.echoes());
}

#[test]
fn a_page_is_opened_on_a_yes_alone() {
    let site = Site::open();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (browser, opened) = (folder.join("browser"), folder.join("opened"));
    let script = format!(
        "#!/bin/sh\nprintf '%s' \"$1\" > '{0}.new' && mv '{0}.new' '{0}'\n",
        opened.display()
    );
    std::fs::write(&browser, script).expect("written");
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).expect("ours");
    let browser = browser.to_str().expect("a path");
    for (keys, result, opens) in [
        (DOWN.to_owned(), "visited", false),
        (DOWN.repeat(2), "declined", false),
        (DOWN.repeat(3), "dismissed", false),
        (String::new(), "visited", true),
    ] {
        let _ = std::fs::remove_file(&opened);
        let words = ["call", "visit", "--url", &site.url];
        let mut terminal = Terminal::open(&words, &[("BROWSER", browser)]);
        terminal.until("https://pay.example.com/?a=1&b=2");
        terminal.answer("Dismiss", &format!("{keys}{ENTER}"));
        terminal.until(result);
        assert_eq!(terminal.end(), Some(0));
        if opens {
            let url = loop {
                match std::fs::read_to_string(&opened) {
                    Ok(url) => break url,
                    Err(_) => std::thread::yield_now(),
                }
            };
            assert_eq!(url, "https://pay.example.com/?a=1&b=2");
        } else {
            assert!(!opened.exists(), "{result}");
        }
    }
}

#[test]
fn a_bar_shows_how_far_the_call_is() {
    let site = Site::open();
    for wire in [
        &["--no-tasks"][..],
        &["--wire", "2026-07-28"],
        &["--wire", "2025-11-25"],
    ] {
        let mut terminal = Terminal::open(
            &[&["call", "steps", "--url", &site.url], wire].concat(),
            &[],
        );
        terminal.until("% ");
        terminal.until("stepping");
        terminal.until("done");
        assert_eq!(terminal.end(), Some(0));
    }
}

#[test]
fn a_terminal_without_a_cursor_gets_lines() {
    let site = Site::open();
    let words = ["call", "steps", "--url", &site.url];
    let mut terminal = Terminal::open(&words, &[("TERM", "dumb")]);
    terminal.until("the call is the task ");
    terminal.until("working");
    terminal.until("completed\n");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn a_hostile_form_is_shown_as_text() {
    let site = Site::open();
    let mut terminal = Terminal::open(&["call", "hostile", "--url", &site.url], &[]);
    terminal.until(&format!("asks: {HARMLESS}"));
    terminal.answer("Dismiss", ENTER);
    terminal.until(HARMLESS);
    terminal.answer("yes", ENTER);
    terminal.until("accepted");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn the_wait_for_word_of_a_page_is_told() {
    // It wants a page to be visited before the call, and never says that this was done.
    let server = shell(
        r#"
        answer '"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}'
        read initialized
        answer '"result":{"tools":[{"name":"pay","inputSchema":{"type":"object"}}]}'
        page='{"mode":"url","elicitationId":"a","url":"https://pay.example.com/","message":"Please pay."}'
        answer "\"error\":{\"code\":-32042,\"message\":\"pay first\",\"data\":{\"elicitations\":[$page]}}"
        while read a; do :; done"#,
    );
    let words = ["call", "pay", "--wire", "2025-11-25", "--"];
    let mut terminal = Terminal::open(&[&words[..], &["sh", "-c", &server]].concat(), &[]);
    terminal.until("Please pay.");
    terminal.answer("Dismiss", &format!("{DOWN}{ENTER}"));
    terminal.until("waiting for the server's word that the page is done, 300s at most");
    terminal.interrupt();
    terminal.until("was cancelled");
    assert_eq!(terminal.end(), Some(130));
}
