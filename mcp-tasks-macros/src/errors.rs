//! Collects every fault of an item, so that one build shows all of them.

use std::cmp::Reverse;
use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The faults found so far, each at the user's own tokens.
#[derive(Default)]
pub(crate) struct Errors {
    ours: Option<syn::Error>,
    /// Faults that rustc reports in the function itself.
    rustcs: usize,
}

impl Errors {
    /// Notes `message` at `tokens`. The whole of `tokens` is underlined, where `Span::join` would
    /// give the first token alone on stable.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.ours {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    /// Notes a fault of the function that rustc reports by itself. Nothing is said, but no tool is made
    /// of the function, in which rustc would find the fault again.
    pub(crate) fn left_to_rustc(&mut self) {
        self.rustcs += 1;
    }

    /// The value of `result`, or its error noted.
    pub(crate) fn ok<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(crate) fn count(&self) -> usize {
        self.ours.iter().flatten().count() + self.rustcs
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count() == 0
    }
}

impl ToTokens for Errors {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.ours.as_ref().map(syn::Error::to_compile_error));
    }
}

/// The valid keys as a sentence shows them, after the one that `typed` most likely meant.
pub(crate) fn suggest(typed: &str, valid: &[&str]) -> String {
    let list = valid
        .iter()
        .map(|key| format!("`{key}`"))
        .collect::<Vec<_>>()
        .join(", ");
    match nearest(typed, valid) {
        Some(key) => format!("did you mean `{key}`? Valid here: {list}"),
        None => format!("valid here: {list}"),
    }
}

/// The key with the fewest edits, unless they are more than a third of it. A key that was written
/// longer, such as `read_only_hint`, is near as well, to the longest that it begins with, and so is one that
/// was cut short, such as `desc`. Words may be told apart by capitals, as in `readOnlyHint`.
pub(crate) fn nearest<'a>(typed: &str, valid: &[&'a str]) -> Option<&'a str> {
    let typed = snake_case(typed);
    let edits = |key: &str| {
        if typed.starts_with(key) || (typed.len() > 2 && key.starts_with(&typed)) {
            1
        } else {
            distance(&typed, key)
        }
    };
    valid
        .iter()
        .map(|key| (edits(key), *key))
        .filter(|(edits, key)| edits * 3 <= key.len().max(typed.len()))
        .min_by_key(|(edits, key)| (*edits, Reverse(key.len())))
        .map(|(_, key)| key)
}

fn snake_case(typed: &str) -> String {
    let mut text = String::new();
    for c in typed.trim_start_matches("r#").chars() {
        if c.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}

/// Edits between two words: a letter more, less or another, or two that have changed places. In bytes,
/// since keys are ASCII.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    // `edits[i][j]` is the distance of the first `i` letters of `a` from the first `j` of `b`.
    let mut edits = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            edits[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let other = usize::from(a[i - 1] != b[j - 1]);
                (edits[i - 1][j - 1] + other)
                    .min(edits[i - 1][j] + 1)
                    .min(edits[i][j - 1] + 1)
            };
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                edits[i][j] = edits[i][j].min(edits[i - 2][j - 2] + 1);
            }
        }
    }
    edits[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::{Errors, suggest};

    const KEYS: &[&str] = &["name", "description", "read_only"];

    #[test]
    fn a_misspelt_key_gets_the_nearest_one() {
        assert!(suggest("descripton", KEYS).starts_with("did you mean `description`?"));
        assert!(suggest("naem", KEYS).starts_with("did you mean `name`?"));
        assert!(suggest("readonly", KEYS).starts_with("did you mean `read_only`?"));
        assert!(suggest("read_only_hint", KEYS).starts_with("did you mean `read_only`?"));
        assert!(suggest("max_length", &["max", "max_len"]).starts_with("did you mean `max_len`?"));
        assert!(suggest("readOnlyHint", KEYS).starts_with("did you mean `read_only`?"));
        assert!(suggest("desc", KEYS).starts_with("did you mean `description`?"));
        assert!(suggest("r#name", KEYS).starts_with("did you mean `name`?"));
    }

    #[test]
    fn a_strange_key_gets_the_list_alone() {
        assert_eq!(
            suggest("icons", KEYS),
            "valid here: `name`, `description`, `read_only`"
        );
    }

    #[test]
    fn every_fault_is_kept() {
        let mut errors = Errors::default();
        errors.at(quote::quote!(a), "first");
        errors.at(quote::quote!(b), "second");
        assert_eq!(errors.count(), 2);
    }
}
