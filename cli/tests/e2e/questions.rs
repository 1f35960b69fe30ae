//! Questions where nobody is there to ask.

use serde_json::{Value, json};

use crate::run::{Ended, run};
use crate::site::{Site, WIRES};

fn order(site: &Site, words: &[&str]) -> Ended {
    run(&[&["call", "order", "--url", &site.url], words].concat())
}

fn ordered(ended: &Ended) -> Value {
    assert_eq!(ended.code, Some(0), "{ended:?}");
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:?}"))
}

#[test]
fn a_question_that_nobody_answers_is_declined_with_a_note() {
    let site = Site::open();
    let declined = order(&site, &[]);
    assert_eq!(
        (declined.code, declined.stdout.trim()),
        (Some(0), "declined")
    );
    assert!(
        declined
            .stderr
            .contains("e2e (order) asks: What may it be?"),
        "{declined:?}"
    );
    assert!(
        declined
            .stderr
            .contains("declined (nobody is there to ask; see --answer"),
        "{declined:?}"
    );
    for (wish, result) in [("dismiss", "dismissed"), ("decline", "declined")] {
        let wished = order(&site, &["--questions", wish]);
        assert_eq!(wished.stdout.trim(), result, "{wished:?}");
        assert!(
            wished
                .stderr
                .contains(&format!("{result} (by --questions)")),
            "{wished:?}"
        );
    }
}

#[test]
fn what_could_have_been_answered_is_told() {
    let site = Site::open();
    let fields = "\n  meal: one of \"veg\", \"fish\"\n  sides: a list (1 or more items) of \"rice\", \"beans\", \
                  \"salad\", each at most once\n  guests: a whole number (1 to 12), default 2\n  \
                  outside: true or false, default false\n  note: a string, optional\n";
    for words in [
        &[][..],
        &["--answer", "mael=veg"],
        &["--answer", "meal=soup"],
        &["--questions", "accept"],
    ] {
        let declined = order(&site, words);
        assert!(declined.stderr.contains(fields), "{words:?}: {declined:?}");
    }
    let events = order(&site, &["--status", "json"]).events();
    let question = events
        .iter()
        .find(|event| event["event"] == "question")
        .expect("told");
    assert_eq!(question["form"][0]["name"], "meal");
    assert_eq!(question["form"][0]["choices"], json!(["veg", "fish"]));
}

#[test]
fn a_form_is_filled_in_from_the_command_line_on_every_wire_that_asks() {
    let site = Site::open();
    for wire in WIRES {
        // Wires of before 2025-11-25 have no lists of choices.
        if ["2025-06-18", "sep-1686"].contains(&wire[1]) {
            continue;
        }
        let words = [
            "--answer",
            "meal=Fish",
            "--answer",
            "sides=rice",
            "--answer",
            "sides=beans",
            "--answer",
            "note=7",
        ];
        let answered = order(&site, &[&words, wire].concat());
        let wanted = json!({ "meal": "fish", "sides": ["rice", "beans"], "guests": 2, "outside": false, "note": "7" });
        assert_eq!(ordered(&answered), wanted, "{wire:?}: {answered:?}");
    }
}

#[test]
fn an_answer_that_does_not_fit_is_named_and_the_question_declined() {
    let site = Site::open();
    for (words, fault) in [
        (
            &["--answer", "meal=soup"][..],
            "`meal`: expected one of \"veg\", \"fish\", got \"soup\"",
        ),
        (
            &[
                "--answer",
                "meal=veg",
                "--answer",
                "sides=rice",
                "--answer",
                "guests=13",
            ],
            "`guests`: expected a whole number (1 to 12), got 13",
        ),
        (&["--answer", "meal=veg"], "`sides`: expected"),
    ] {
        let declined = order(&site, words);
        assert_eq!(declined.stdout.trim(), "declined", "{declined:?}");
        assert!(declined.stderr.contains(fault), "{declined:?}");
    }
}

#[test]
fn defaults_are_accepted_where_they_are_enough() {
    let site = Site::open();
    let accept = |tool| run(&["call", tool, "--questions", "accept", "--url", &site.url]);
    assert_eq!(accept("confirm").stdout.trim(), "deployed");
    let order = accept("order");
    assert_eq!(order.stdout.trim(), "declined", "{order:?}");
    assert!(
        order.stderr.contains("no default for everything: `meal`"),
        "{order:?}"
    );
    let page = accept("visit");
    assert_eq!(
        page.stdout.trim(),
        "declined",
        "a page is for a user: {page:?}"
    );
}

#[test]
fn a_page_is_shown_whole_and_declined() {
    let site = Site::open();
    let declined = run(&["call", "visit", "--url", &site.url]);
    assert_eq!(declined.stdout.trim(), "declined", "{declined:?}");
    assert!(
        declined
            .stderr
            .contains("\n  https://pay.example.com/?a=1&b=2\n"),
        "{declined:?}"
    );
}

#[test]
fn two_questions_at_once_are_both_answered() {
    let site = Site::open();
    for wire in WIRES {
        let words = [
            "call", "ask_two", "--answer", "name=Ada", "--answer", "count=3", "--url", &site.url,
        ];
        let both = run(&[&words, wire].concat());
        assert_eq!(both.stdout.trim(), "3 for Ada", "{wire:?}: {both:?}");
    }
}

#[test]
fn an_answer_to_no_question_is_told_as_far_as_the_call_came() {
    let site = Site::open();
    for (call, code, why) in [
        (&["ask"][..], 0, "no question had such a field"),
        (&["echo", "text=a"], 0, "no form came to fill in"),
        (&["echo", "txet=a"], 2, "no form came to fill in"),
        (&["ask", "--detach"], 0, "no question has come yet"),
    ] {
        let answer = ["--answer", "nmae=Ada", "--url", &site.url];
        let told = run(&[&["call"], call, &answer].concat());
        assert_eq!(told.code, Some(code), "{told:?}");
        let note = format!("--answer nmae: {why}");
        assert!(told.stderr.contains(&note), "{call:?}: {told:?}");
    }
}

#[test]
fn asking_needs_a_terminal() {
    let site = Site::open();
    let refused = order(&site, &["--questions", "ask"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("must be a terminal"), "{refused:?}");
}

#[test]
fn questions_and_answers_are_events() {
    let site = Site::open();
    let words = [
        "call", "ask", "--answer", "name=Ada", "--status", "json", "--url", &site.url,
    ];
    let events = run(&words).events();
    let event = |name: &str| {
        events
            .iter()
            .find(|event| event["event"] == name)
            .cloned()
            .expect("told")
    };
    assert_eq!(event("question")["message"], "What is your name?");
    assert_eq!(event("question")["server"], "e2e");
    assert_eq!(event("answer")["action"], "accepted");
    assert_eq!(event("answer")["content"], json!({ "name": "Ada" }));
}
