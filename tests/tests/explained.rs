//! What rustc says of a type that lacks one of our traits is written by us, and names no private detour.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Public traits that no type can be seen to lack, with the reason.
const SILENT: [(&str, &str); 1] = [(
    "Scaled",
    "a supertrait of `Ranged` which every field has, so that a misplaced bound is one error",
)];

#[test]
fn every_public_trait_says_what_to_do_about_a_type_without_it() {
    let traits = public_traits();
    assert!(traits.len() > 10, "{}", traits.len());
    let silent: BTreeSet<_> = SILENT.iter().map(|(name, _)| *name).collect();
    for (name, attributes) in &traits {
        let explains = attributes.contains("#[diagnostic::on_unimplemented");
        assert_ne!(explains, silent.contains(name.as_str()), "trait `{name}`");
    }
}

#[test]
fn no_blanket_impl_of_a_public_trait_is_recommended() {
    let traits = public_traits();
    let names: BTreeSet<_> = traits.iter().map(|(name, _)| name.as_str()).collect();
    let mut found = 0;
    for (path, text) in sources() {
        for (line, header, attributes) in items(&text, "impl<") {
            let Some((of, type_)) = blanket(header) else {
                continue;
            };
            if names.contains(of) {
                found += 1;
                let hidden = attributes.contains("#[diagnostic::do_not_recommend]");
                assert!(
                    hidden,
                    "{}:{line}: `{of}` for every `{type_}`",
                    path.display()
                );
            }
        }
    }
    assert!(found > 5, "{found} blanket impls");
}

/// The trait and the type parameter of `impl<T: ..> Trait<..> for T`.
fn blanket(header: &str) -> Option<(&str, &str)> {
    let (before, type_) = header.trim_end_matches(" {").split_once(" for ")?;
    let of = before.rsplit_once("> ").map_or(before, |(_, of)| of);
    let of = of.split('<').next()?;
    let is_parameter = type_.len() == 1;
    is_parameter.then_some((of, type_))
}

/// Each public trait of the runtime with its attributes.
fn public_traits() -> Vec<(String, String)> {
    let mut traits = Vec::new();
    for (_, text) in sources() {
        for (_, header, attributes) in items(&text, "pub trait ") {
            let name = header.trim_start_matches("pub trait ");
            let end = name.find(|c: char| !c.is_alphanumeric());
            traits.push((name[..end.unwrap_or(name.len())].to_owned(), attributes));
        }
    }
    traits
}

/// The lines of `text` that begin with `keyword`, each with its number and the lines above it, back to a blank one.
fn items<'a>(text: &'a str, keyword: &str) -> Vec<(usize, &'a str, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let is_item = |(_, line): &(usize, &&str)| line.starts_with(keyword);
    let with_attributes = |(at, line): (usize, &&'a str)| {
        let above = lines[..at].iter().rev();
        let attributes: Vec<_> = above
            .take_while(|line| !line.trim().is_empty())
            .copied()
            .collect();
        (at + 1, *line, attributes.join("\n"))
    };
    lines
        .iter()
        .enumerate()
        .filter(is_item)
        .map(with_attributes)
        .collect()
}

fn sources() -> Vec<(PathBuf, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-tasks/src")];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("a source");
                sources.push((path, text));
            }
        }
    }
    sources
}
