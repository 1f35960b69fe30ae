//! The folders of the runtime crate depend on each other in one direction only.
//!
//! The sources are read as tokens, so comments and strings say nothing here. Unit tests are left
//! out: they may borrow from anywhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Each folder and the folders it may name.
const ARROWS: [(&str, &[&str]); 9] = [
    ("model", &[]),
    ("context", &["model"]),
    ("tool", &["model", "context"]),
    ("task", &["model", "context", "tool"]),
    ("wire", &["model"]),
    ("server", &["model", "context", "tool", "task", "wire"]),
    (
        "transport",
        &[
            "model", "context", "tool", "task", "wire", "server",
            "client", // of which it is the way to a server of this process
        ],
    ),
    ("client", &["model", "wire"]),
    (
        "testing",
        &[
            "model",
            "context",
            "tool",
            "task",
            "wire",
            "server",
            "transport",
            "client",
        ],
    ),
];

/// The one thing the task engine takes from `tool`: the name of a boxed future.
const TASK_FROM_TOOL: &str = "tool::BoxFuture";

/// The one thing that a question takes from the crate's root, which sees both it and the server: a reference whose type tells
/// it nothing.
const CONTEXT_FROM_ROOT: &str = "ASKING";

#[test]
fn every_folder_names_only_those_below_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-tasks/src");
    let mut read = 0;
    let mut wrong = Vec::new();
    for (folder, allowed) in ARROWS {
        for file in sources(&src.join(folder)) {
            read += 1;
            let text = fs::read_to_string(&file).unwrap();
            let tokens = TokenStream::from_str(&text).unwrap();
            let below = file.strip_prefix(&src).unwrap();
            for path in paths(tokens, depth(below)) {
                if !may_name(folder, allowed, &path) {
                    wrong.push(format!("{}: crate::{path}", below.display()));
                }
            }
        }
    }
    assert!(
        read > 20,
        "only {read} files were found under {}",
        src.display()
    );
    assert!(
        wrong.is_empty(),
        "against the arrows:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_folder_of_the_crate_has_its_arrows() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-tasks/src");
    let folders = fs::read_dir(src)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    for folder in folders.filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert!(
            ARROWS.iter().any(|(known, _)| *known == name),
            "`{name}` has no arrows"
        );
    }
}

fn may_name(folder: &str, allowed: &[&str], path: &str) -> bool {
    let target = path.split("::").next().unwrap_or_default();
    if folder == "task" && target == "tool" {
        return path == TASK_FROM_TOOL;
    }
    if folder == "context" && target == CONTEXT_FROM_ROOT {
        return path == CONTEXT_FROM_ROOT;
    }
    target == folder || allowed.contains(&target)
}

/// The Rust files of a folder, without those that hold unit tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new(); // `client` comes with its feature
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.file_stem().is_some_and(|stem| stem != "tests"));
    paths
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// How many modules deep a file is: `model/mod.rs` is the module `model`, one deep.
fn depth(file: &Path) -> usize {
    let modules = file.components().count();
    if file.ends_with("mod.rs") {
        modules - 1
    } else {
        modules
    }
}

/// The paths from the crate's root that `tokens`, the text of a module `depth` deep, name.
fn paths(tokens: TokenStream, depth: usize) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(tokens, depth, &mut found);
    found
}

fn collect(tokens: TokenStream, depth: usize, found: &mut BTreeSet<String>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(end) = test_only_item(&tokens[at..]) {
            at += end;
            continue;
        }
        if let Some(rest) = after_root(&tokens[at..], depth) {
            name("", rest, found);
        }
        if let TokenTree::Group(group) = &tokens[at] {
            let inner = usize::from(is_module_body(&tokens[..at]));
            collect(group.stream(), depth + inner, found);
        }
        at += 1;
    }
}

/// The length of an item behind `#[cfg(test)]`, the attribute included.
fn test_only_item(tokens: &[TokenTree]) -> Option<usize> {
    let [
        TokenTree::Punct(pound),
        TokenTree::Group(attribute),
        item @ ..,
    ] = tokens
    else {
        return None;
    };
    let text = attribute.stream().to_string().replace(' ', "");
    if pound.as_char() != '#' || text != "cfg(test)" {
        return None;
    }
    let end = item.iter().position(|token| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    });
    Some(2 + end? + 1)
}

/// What follows `crate::`, or as many `super::` as lead to the root.
fn after_root(tokens: &[TokenTree], depth: usize) -> Option<&[TokenTree]> {
    if is_ident(tokens.first()?, "crate") {
        return after_colons(&tokens[1..]);
    }
    let mut rest = tokens;
    for _ in 0..depth {
        if !is_ident(rest.first()?, "super") {
            return None;
        }
        rest = after_colons(&rest[1..])?;
    }
    Some(rest)
}

fn after_colons(tokens: &[TokenTree]) -> Option<&[TokenTree]> {
    match tokens {
        [TokenTree::Punct(one), TokenTree::Punct(two), rest @ ..]
            if one.as_char() == ':' && two.as_char() == ':' =>
        {
            Some(rest)
        }
        _ => None,
    }
}

/// Notes the path that starts at `tokens`, or every path of a `{..}` list, two names long at most.
fn name(prefix: &str, tokens: &[TokenTree], found: &mut BTreeSet<String>) {
    match tokens.first() {
        Some(TokenTree::Ident(ident)) if prefix.is_empty() => {
            let first = ident.to_string();
            match after_colons(&tokens[1..]) {
                Some(rest) => name(&first, rest, found),
                None => drop(found.insert(first)),
            }
        }
        Some(TokenTree::Group(list)) if list.delimiter() == Delimiter::Brace => {
            let list: Vec<_> = list.stream().into_iter().collect();
            for item in
                list.split(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == ','))
            {
                name(prefix, item, found);
            }
        }
        Some(last) => drop(found.insert(format!("{prefix}::{last}"))),
        None => {}
    }
}

fn is_ident(token: &TokenTree, text: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == text)
}

fn is_module_body(before: &[TokenTree]) -> bool {
    matches!(before, [.., keyword, TokenTree::Ident(_)] if is_ident(keyword, "mod"))
}

/// What the scan finds in a file of `depth` modules, as one line.
fn scan(depth: usize, source: &str) -> String {
    let found = paths(TokenStream::from_str(source).unwrap(), depth);
    found.into_iter().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_scan_sees_imports_lists_and_paths_in_code() {
    assert_eq!(scan(1, "use crate::model::tool::ToolDef;"), "model::tool");
    assert_eq!(
        scan(1, "pub(crate) use crate::{model::{A, b::C}, wire};"),
        "model::A model::b wire"
    );
    assert_eq!(
        scan(1, "fn f() { crate::task::run(x!(crate::tool::BoxFuture)) }"),
        "task::run tool::BoxFuture"
    );
    assert_eq!(scan(1, "use crate::model::*;"), "model::*");
    assert_eq!(scan(1, "use crate::Context;"), "Context");
}

#[test]
fn the_scan_passes_over_comments_strings_and_tests() {
    assert_eq!(
        scan(
            1,
            "//! crate::a\n/// crate::b\nconst X: &str = \"crate::c\"; /* crate::d */"
        ),
        ""
    );
    assert_eq!(
        scan(
            1,
            "#[cfg(test)] mod tests { use crate::server::X; } use crate::wire;"
        ),
        "wire"
    );
    assert_eq!(
        scan(1, "#[cfg(test)] use crate::server::X; use crate::wire;"),
        "wire"
    );
    assert_eq!(
        scan(1, "pub(crate) struct A; pub(in crate::model) struct B;"),
        "model"
    );
}

#[test]
fn the_scan_follows_super_up_to_the_root() {
    assert_eq!(
        scan(2, "use super::spec::ToolSpec; use super::super::wire::X;"),
        "wire::X"
    );
    assert_eq!(scan(1, "use super::server::S;"), "server::S");
    assert_eq!(
        scan(
            1,
            "mod inner { use super::near::N; use super::super::server::S; }"
        ),
        "server::S"
    );
}

#[test]
fn the_task_engine_takes_only_the_boxed_future_from_tools() {
    assert!(may_name("task", ARROWS[3].1, "tool::BoxFuture"));
    assert!(!may_name("task", ARROWS[3].1, "tool::ToolSpec"));
    assert!(!may_name("task", ARROWS[3].1, "server::X"));
    assert!(may_name("server", ARROWS[5].1, "tool::ToolSpec"));
    assert!(!may_name("model", ARROWS[0].1, "Context"));
}
