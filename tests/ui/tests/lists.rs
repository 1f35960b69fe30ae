//! What the UI fixtures promise: as many errors as there are faults, each under the faulty token.
//!
//! Below a faulty line of a fixture, a line such as ``//~ `titel` a misspelt option`` names the token under
//! which the error must stand, and the fault. The lists of `README.md` are made of these lines and of the
//! recorded errors: `TRYBUILD=overwrite cargo test -p ui`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

const FOLDERS: [(&str, &str); 4] = [
    ("syntax", "Found by `#[mcp_tool]` and `tools![]`"),
    ("types", "Found by rustc, in the words of our traits"),
    (
        "forms",
        "Found by `#[derive(ElicitForm)]`, or by rustc in what it makes",
    ),
    (KNOWN, "Told more than once, with what is told first"),
];

/// The folder of faults that no macro can see, and of which rustc therefore speaks more than once.
const KNOWN: &str = "known";

/// Where the lists of `README.md` begin.
const LISTS: &str = "<!-- The lists below are generated; see tests/lists.rs. -->\n";

struct Fixture {
    name: String,
    source: String,
    faults: Vec<Fault>,
    /// In the order of the source.
    errors: Vec<Error>,
    /// How many errors a known fault drags along.
    dragged: usize,
}

/// What a `//~` line says.
struct Fault {
    /// The faulty line, counted from 1.
    line: usize,
    token: String,
    /// Empty, where the fault is one more of the kind before it.
    kind: String,
}

/// An error as rustc printed it.
struct Error {
    message: String,
    line: usize,
    column: usize,
    /// How many characters are underlined; `None` if it is more than one line.
    carets: Option<usize>,
}

#[test]
fn each_fault_is_one_error_under_the_faulty_token() {
    for fixture in fixtures().flat_map(|(_, fixtures)| fixtures) {
        let Fixture {
            name,
            source,
            faults,
            errors,
            ..
        } = &fixture;
        let lines: Vec<&str> = source.lines().collect();
        let found: Vec<_> = errors.iter().map(|error| error.line).collect();
        let expected: Vec<_> = faults.iter().map(|fault| fault.line).collect();
        assert_eq!(
            found, expected,
            "{name}: lines of the errors, and of the faults"
        );
        for (error, fault) in errors.iter().zip(faults) {
            let Fault { line, token, .. } = fault;
            let at: String = lines[line - 1].chars().skip(error.column - 1).collect();
            assert!(
                at.starts_with(token),
                "{name}:{line}: `{at}` is no `{token}`"
            );
            let length = token.chars().count();
            let carets = error.carets.unwrap_or(length);
            assert_eq!(carets, length, "{name}:{line}: carets under `{token}`");
        }
    }
}

#[test]
fn each_fixture_names_its_kinds_of_faults_and_has_errors_alone() {
    for (folder, fixtures) in fixtures() {
        assert!(!fixtures.is_empty(), "{folder} is empty");
        for fixture in fixtures {
            let name = &fixture.name;
            let first = fixture.faults.first();
            let first = first.unwrap_or_else(|| panic!("{name} has no fault"));
            assert!(!first.kind.is_empty(), "{name}: what fault?");
            let recorded = fs::read_to_string(recorded(&path(name))).expect("a .stderr");
            assert!(!recorded.contains("warning"), "{name} warns");
        }
    }
}

#[test]
fn each_known_fault_is_told_more_than_once() {
    for (folder, fixtures) in fixtures() {
        for Fixture { name, dragged, .. } in fixtures {
            assert_eq!(
                folder == KNOWN,
                dragged > 0,
                "{name} is in the wrong folder"
            );
        }
    }
}

/// An error that drags others along shows only where the faulty item is used.
#[test]
fn each_fixture_uses_its_items() {
    for fixture in fixtures().flat_map(|(_, fixtures)| fixtures) {
        let tokens: TokenStream = fixture.source.parse().expect("tokens");
        let mut defined = Vec::new();
        let mut counts = HashMap::new();
        names(tokens, &mut defined, &mut counts);
        let denied = fixture.source.contains("#![deny(dead_code)]");
        for name in defined.iter().filter(|name| *name != "main" && !denied) {
            assert!(counts[name] > 1, "{}: `{name}` is not used", fixture.name);
        }
    }
}

#[test]
fn the_lists_of_the_readme_are_those_of_the_fixtures() {
    let path = root().join("README.md");
    let text = fs::read_to_string(&path).expect("README.md");
    let (introduction, _) = text.split_once(LISTS).expect("the place of the lists");
    let expected = format!("{introduction}{LISTS}{}", lists());
    if std::env::var_os("TRYBUILD").is_some_and(|value| value == "overwrite") {
        fs::write(&path, expected).expect("README.md is writable");
        return;
    }
    assert!(
        text == expected,
        "README.md does not list the fixtures as they are; see the top of this test for the command"
    );
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The path of the fixture `folder/name`.
fn path(name: &str) -> PathBuf {
    root().join(name).with_extension("rs")
}

fn recorded(path: &Path) -> PathBuf {
    path.with_extension("stderr")
}

/// The fixtures of each folder, by name.
fn fixtures() -> impl Iterator<Item = (&'static str, Vec<Fixture>)> {
    FOLDERS.iter().map(|(folder, _)| {
        let files = fs::read_dir(root().join(folder)).expect("the folder");
        let mut names: Vec<_> = files
            .map(|file| file.expect("a file").path())
            .filter(|path| path.extension().is_some_and(|it| it == "rs"))
            .map(|path| path.file_stem().expect("a name").display().to_string())
            .collect();
        names.sort();
        let fixtures = names.iter().map(|name| read(&format!("{folder}/{name}")));
        (*folder, fixtures.collect())
    })
}

fn read(name: &str) -> Fixture {
    let path = path(name);
    let source = fs::read_to_string(&path).expect("a fixture");
    let stderr = fs::read_to_string(recorded(&path));
    let mut errors = errors(&stderr.unwrap_or_else(|_| panic!("{name} has no .stderr")));
    let mut dragged = 0;
    if name.starts_with(KNOWN) {
        dragged = errors.drain(1..).count();
    }
    // rustc prints its own errors after those of the macros.
    errors.sort_by_key(|error| (error.line, error.column));
    Fixture {
        name: name.to_owned(),
        faults: faults(name, &source),
        errors,
        dragged,
        source,
    }
}

fn faults(name: &str, source: &str) -> Vec<Fault> {
    let mut above = 0;
    let mut faults = Vec::new();
    for (line, text) in (1..).zip(source.lines()) {
        let Some(marker) = text.trim_start().strip_prefix("//~ `") else {
            above = line;
            continue;
        };
        let (token, kind) = marker
            .split_once('`')
            .unwrap_or_else(|| panic!("{name}:{line}: no token"));
        faults.push(Fault {
            line: above,
            token: token.to_owned(),
            kind: kind.trim().to_owned(),
        });
    }
    faults
}

fn errors(stderr: &str) -> Vec<Error> {
    let mut errors = Vec::new();
    let mut lines = stderr.lines();
    while let Some(line) = lines.next() {
        let Some(message) = line.strip_prefix("error") else {
            continue;
        };
        let (_, message) = message.split_once(": ").expect("a message");
        let place = lines.next().expect("a place");
        let mut place = place.rsplit(':').map(|part| part.parse().ok());
        let mut number = || place.next().flatten().expect("a line and a column");
        let (column, line) = (number(), number());
        let underlined = lines.clone().find(|line| line.contains('^'));
        errors.push(Error {
            message: message.to_owned(),
            line,
            column,
            carets: underlined.and_then(carets),
        });
    }
    errors
}

/// How many characters `line` underlines, if the underlined part begins there too.
fn carets(line: &str) -> Option<usize> {
    let (before, rest) = line.split_once('^')?;
    (!before.ends_with('_')).then(|| 1 + rest.chars().take_while(|c| *c == '^').count())
}

/// The names that `fn`, `struct` and `enum` define outside of impls, and how often each identifier stands.
fn names(tokens: TokenStream, defined: &mut Vec<String>, counts: &mut HashMap<String, usize>) {
    let mut is_name = false;
    let mut is_impl = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                *counts.entry(name.clone()).or_default() += 1;
                if is_name {
                    defined.push(name.clone());
                }
                is_impl |= name == "impl";
                is_name = ["fn", "struct", "enum"].contains(&name.as_str());
            }
            TokenTree::Group(group) => {
                is_name = false;
                let before = defined.len();
                names(group.stream(), defined, counts);
                if is_impl && group.delimiter() == Delimiter::Brace {
                    defined.truncate(before);
                    is_impl = false;
                }
            }
            _ => is_name = false,
        }
    }
}

fn lists() -> String {
    let mut text = String::new();
    for ((folder, title), (_, fixtures)) in FOLDERS.iter().zip(fixtures()) {
        let _ = writeln!(
            text,
            "\n## {title}\n\n| fault | message | fixture |\n|---|---|---|"
        );
        for Fixture {
            name,
            faults,
            errors,
            ..
        } in &fixtures
        {
            for (fault, error) in faults.iter().zip(errors) {
                if !fault.kind.is_empty() {
                    let message = brief(&error.message).replace('|', "\\|");
                    let file = name.trim_start_matches(folder).trim_start_matches('/');
                    let _ = writeln!(text, "| {} | {message} | [{file}]({name}.rs) |", fault.kind);
                }
            }
        }
    }
    text
}

/// `message` without the list of all that could stand in the place of what is wrong.
fn brief(message: &str) -> &str {
    let end = ["; valid here", " Valid here"]
        .iter()
        .find_map(|list| message.find(list));
    &message[..end.unwrap_or(message.len())]
}
