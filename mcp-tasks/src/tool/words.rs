//! What `serde` and `serde_json` say of a value, in JSON's words: a model has never seen the Rust types.

use std::borrow::Cow;

/// What `serde_json` says of a value that is neither a variant's name nor an object around it.
pub(super) const EXPECTED_VARIANT: &str =
    "expected a variant's name, or an object with it as the only key";

/// The text of an error at `path`. `serde_json` says some things as a parser would: of text that is
/// known to be JSON, they mean that a type stopped reading early.
pub(super) fn in_words(text: &str, path: &str) -> String {
    match text {
        "trailing characters" if path.ends_with(']') => {
            return "one item more than expected".to_owned();
        }
        // 128 bits are read digit by digit.
        "trailing characters" => return "expected a whole number that fits".to_owned(),
        "expected value" => return EXPECTED_VARIANT.to_owned(),
        _ if text.starts_with("data did not match any variant of untagged enum ") => {
            return "is none of the forms that the schema allows".to_owned();
        }
        _ => {}
    }
    let Some((got, expected)) = text.rsplit_once(", expected ") else {
        return text.to_owned();
    };
    let got = match got.strip_prefix("invalid type: ") {
        Some("map" | "newtype variant" | "tuple variant" | "struct variant") => {
            "invalid type: object"
        }
        Some("sequence") => "invalid type: array",
        Some("unit variant") => "invalid type: a name alone",
        _ => got,
    };
    format!("{got}, expected {}", expectation(expected))
}

/// What a type expects.
pub(super) fn expectation(text: &str) -> Cow<'_, str> {
    const OBJECTS: [&str; 4] = [
        "struct ",
        "struct variant ",
        "internally tagged enum ",
        "adjacently tagged enum ",
    ];
    const ARRAYS: [&str; 2] = ["tuple struct ", "tuple variant "];
    let begins = |with: &[&str]| with.iter().any(|prefix| text.starts_with(prefix));
    if let Some(size) = size(text) {
        return format!("an array of {size}").into();
    }
    match text {
        "a sequence" => "an array".into(),
        "a map" => "an object".into(),
        "a boolean" | "bool" => "true or false".into(),
        "unit" => "null".into(),
        "unit variant" => "a name alone".into(),
        "newtype variant" | "tuple variant" | "struct variant" => {
            "an object with the name as its only key".into()
        }
        _ if begins(&OBJECTS) => "an object".into(),
        _ if begins(&ARRAYS) => "an array".into(),
        _ if begins(&["unit struct "]) => "null".into(),
        _ if begins(&["enum "]) => EXPECTED_VARIANT.trim_start_matches("expected ").into(),
        _ => text.into(),
    }
}

/// How long an array has to be, as in `a tuple of size 2` and `tuple struct Pair with 2 elements`.
fn size(text: &str) -> Option<String> {
    let count = match text.rsplit_once(" with ") {
        Some((_, elements)) => elements.split_once(" element")?.0,
        None => text
            .strip_prefix("a tuple of size ")
            .or_else(|| text.strip_prefix("an array of length "))?,
    };
    let count: usize = count.parse().ok()?;
    Some(format!("{count} item{}", if count == 1 { "" } else { "s" }))
}
