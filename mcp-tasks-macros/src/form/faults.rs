//! Errors of a macro: all of them at once, each at the token that is wrong.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// What is wrong so far.
#[derive(Default)]
pub(crate) struct Faults(Option<syn::Error>);

impl Faults {
    /// Adds a fault under all of `tokens`.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn into_errors(self) -> Option<TokenStream> {
        self.0.map(syn::Error::into_compile_error)
    }
}

/// The candidate that `word` was probably meant to be.
pub(crate) fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    candidates
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .filter(|(distance, candidate)| *distance <= candidate.len().div_ceil(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Edits between two words: insert, remove or replace a letter.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.chars().count()]
}

/// `` `a`, `b` and `c` ``.
pub(crate) fn listed(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const KEYS: &[&str] = &["title", "description", "min", "max"];

    #[test]
    fn a_slip_of_the_pen_finds_the_key() {
        assert_eq!(nearest("tittle", KEYS), Some("title"));
        assert_eq!(nearest("descripton", KEYS), Some("description"));
        assert_eq!(nearest("mix", KEYS), Some("min"));
    }

    #[test]
    fn another_word_finds_nothing() {
        assert_eq!(nearest("pattern", KEYS), None);
        assert_eq!(nearest("x", KEYS), None);
    }
}
