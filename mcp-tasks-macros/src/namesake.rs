//! A tool's hidden struct takes the function's name among types, modules and crates. A function that uses
//! a module or crate of its own name is told so here, where rustc would speak of the struct.

use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};

/// Words that may give a name another meaning inside a function.
const DEFINING: &[&str] = &[
    "use", "mod", "struct", "enum", "union", "type", "trait", "extern",
];

/// The first place in `body` where a path starts with `name`, such as `csv` in `csv::Reader` inside a
/// function `csv`.
pub(crate) fn find(body: &TokenStream, name: &Ident) -> Option<Ident> {
    if defines(body) {
        return None;
    }
    in_path(body.clone(), name)
}

fn defines(body: &TokenStream) -> bool {
    body.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => DEFINING.iter().any(|word| ident == word),
        TokenTree::Group(group) => defines(&group.stream()),
        _ => false,
    })
}

fn in_path(tokens: TokenStream, name: &Ident) -> Option<Ident> {
    let tokens: Vec<_> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let found = match token {
            TokenTree::Ident(ident) if ident == name => {
                let (before, after) = (&tokens[..at], &tokens[at + 1..]);
                let is_first = match before {
                    [.., TokenTree::Ident(first), a, b] if is_separator(a, b) => first == "self",
                    [.., a, b] => !is_separator(a, b),
                    _ => true,
                };
                let goes_on = matches!(after, [a, b, ..] if is_separator(a, b));
                (is_first && goes_on).then(|| ident.clone())
            }
            TokenTree::Group(group) => in_path(group.stream(), name),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Whether two tokens are a `::`.
fn is_separator(first: &TokenTree, second: &TokenTree) -> bool {
    matches!((first, second), (TokenTree::Punct(first), TokenTree::Punct(second))
        if first.as_char() == ':' && first.spacing() == Spacing::Joint && second.as_char() == ':')
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::{format_ident, quote};

    fn is_found(body: &TokenStream) -> bool {
        super::find(body, &format_ident!("csv")).is_some()
    }

    #[test]
    fn a_path_into_a_namesake_is_found() {
        assert!(is_found(&quote!({ csv::Reader::new() })));
        assert!(is_found(&quote!({
            let x = [(self::csv::read(), 1)];
        })));
        assert!(is_found(&quote!({
            let x: csv::Error = failed;
        })));
    }

    #[test]
    fn other_uses_of_the_name_are_not() {
        assert!(!is_found(&quote!({ ::csv::Reader::new() })));
        assert!(!is_found(&quote!({ crate::csv::read(csv) })));
        assert!(!is_found(&quote!({
            csv(1).await;
            Row { csv: 1 }
        })));
    }

    #[test]
    fn a_body_that_gives_the_name_a_meaning_is_left_alone() {
        assert!(!is_found(&quote!({
            use csv_core as csv;
            csv::Reader::new()
        })));
    }
}
