//! Looks at JSON text without building values: no recursion, so depth costs nothing, and nothing
//! here is generic.

use std::fmt::Write as _;

/// One piece of JSON text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'t> {
    /// `{` or `[`
    Open(u8),
    /// `}` or `]`
    Close,
    Comma,
    Colon,
    /// With its quotes.
    String(&'t str),
    /// A number, `true`, `false` or `null`.
    Scalar(&'t str),
}

/// The tokens of a text and where each starts. Text that is not JSON gives odd tokens, never a
/// panic.
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

pub(super) fn tokens(text: &str) -> Tokens<'_> {
    Tokens { text, at: 0 }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = (usize, Token<'t>);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.text.as_bytes();
        let start = self.at
            + bytes[self.at..]
                .iter()
                .position(|b| !b.is_ascii_whitespace())?;
        let (length, token) = match bytes[start] {
            open @ (b'{' | b'[') => (1, Token::Open(open)),
            b'}' | b']' => (1, Token::Close),
            b',' => (1, Token::Comma),
            b':' => (1, Token::Colon),
            b'"' => {
                let length = string_length(&bytes[start..]);
                (length, Token::String(&self.text[start..start + length]))
            }
            _ => {
                let rest = &bytes[start..];
                let ends = |b: &u8| b.is_ascii_whitespace() || b"{}[],:\"".contains(b);
                let length = rest.iter().position(ends).unwrap_or(rest.len());
                (length, Token::Scalar(&self.text[start..start + length]))
            }
        };
        self.at = start + length;
        Some((start, token))
    }
}

/// Bytes of the string at the start of `bytes`, quotes included.
fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Where in a JSON text `offset` lies, as `.field[2].name`; empty for the whole. The end of a value
/// belongs to the value.
pub(super) fn path_at(text: &str, offset: usize) -> String {
    /// Deeper paths help nobody.
    const SHOWN: usize = 16;
    enum Frame<'t> {
        Object(Option<&'t str>),
        Array(usize),
    }
    let mut frames = Vec::new();
    let mut last_string = "";
    for (start, token) in tokens(text) {
        if start >= offset {
            break;
        }
        match (token, frames.last_mut()) {
            (Token::Open(b'{'), _) => frames.push(Frame::Object(None)),
            (Token::Open(_), _) => frames.push(Frame::Array(0)),
            (Token::Close, _) => drop(frames.pop()),
            (Token::Comma, Some(Frame::Array(index))) => *index += 1,
            (Token::Comma, Some(Frame::Object(key))) => *key = None,
            (Token::Colon, Some(Frame::Object(key))) => *key = Some(last_string),
            (Token::String(string), _) => last_string = string,
            _ => {}
        }
    }
    let mut path = String::new();
    for frame in frames.iter().take(SHOWN) {
        // Writing to a String cannot fail.
        let _ = match frame {
            Frame::Object(Some(key)) => write!(path, ".{}", unquoted(key)),
            Frame::Object(None) => Ok(()),
            Frame::Array(index) => write!(path, "[{index}]"),
        };
    }
    if frames.len() > SHOWN {
        path.push('…');
    }
    path
}

/// The text of a JSON string given with its quotes.
pub(super) fn unquoted(string: &str) -> String {
    serde_json::from_str(string).unwrap_or_else(|_| string.to_owned())
}

/// How many items the array in `text` has; `None` if it is no array.
pub(super) fn count_items(text: &str) -> Option<usize> {
    let mut all = tokens(text).map(|(_, token)| token).peekable();
    if all.next() != Some(Token::Open(b'[')) {
        return None;
    }
    if all.peek() == Some(&Token::Close) {
        return Some(0);
    }
    let mut depth = 1_usize;
    let mut items = 1;
    for token in all {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Comma if depth == 1 => items += 1,
            _ => {}
        }
    }
    Some(items)
}

/// The text with every whole number that is not spelt as one (`30.0`, `3e1`, `-0`) written so; `None`
/// if it has none.
pub(super) fn whole_floats_as_integers(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut copied = 0;
    for (start, token) in tokens(text) {
        if let Token::Scalar(scalar) = token
            && let Some(integer) = whole(scalar)
        {
            out.push_str(&text[copied..start]);
            out.push_str(&integer);
            copied = start + scalar.len();
        }
    }
    if copied == 0 {
        return None;
    }
    out.push_str(&text[copied..]);
    Some(out)
}

/// The plain spelling of a whole number that has another. It is moved digit by digit, since a float
/// would round the large ones.
fn whole(scalar: &str) -> Option<String> {
    /// The digits of `u128::MAX`.
    const LONGEST: i32 = 39;
    let (sign, number) = scalar
        .strip_prefix('-')
        .map_or(("", scalar), |rest| ("-", rest));
    if sign.is_empty() && !number.contains(['.', 'e', 'E']) {
        return None;
    }
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [before, after].concat();
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_end_matches('0');
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    // Where the decimal point ends up among the digits.
    let point = i32::try_from(before.len()).ok()?;
    let point = point.checked_add(exponent.parse().ok()?)?;
    if point > LONGEST {
        return None;
    }
    let zeros = usize::try_from(point).ok()?.checked_sub(digits.len())?;
    let digits = digits.trim_start_matches('0');
    let integer = [sign, digits, &"0".repeat(zeros)].concat();
    (integer != scalar).then_some(integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_the_value_that_ends_or_starts_at_the_offset() {
        let text = r#"{"a": {"b:{": [1, "x"]}, "c": 3}"#;
        let after = |piece: &str| text.find(piece).unwrap() + piece.len();
        assert_eq!(path_at(text, after("\"x\"")), ".a.b:{[1]");
        assert_eq!(path_at(text, after("[1, \"x\"]")), ".a.b:{");
        assert_eq!(path_at(text, text.find('[').unwrap()), ".a.b:{");
        assert_eq!(path_at(text, after("\"x\"]}")), ".a");
        assert_eq!(path_at(text, text.len()), "");
        assert_eq!(path_at(text, after("\"c\": 3")), ".c");
    }

    #[test]
    fn a_deep_path_is_cut() {
        let text = "[".repeat(10_000);
        assert_eq!(path_at(&text, 10_000), format!("{}…", "[0]".repeat(16)));
    }

    #[test]
    fn items_are_counted_on_the_top_level_only() {
        assert_eq!(count_items("[ ]"), Some(0));
        assert_eq!(count_items("[[1,2],{\"a\":[3,4]},\",\"]"), Some(3));
        assert_eq!(count_items("{\"a\":1}"), None);
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        assert_eq!(count_items(&deep), Some(1));
    }

    #[test]
    fn only_whole_floats_are_rewritten_and_strings_never() {
        assert_eq!(
            whole_floats_as_integers(r#"{"a": [30.0, 3e1, -2.0], "s": "30.0", "f": 0.5}"#).unwrap(),
            r#"{"a": [30, 30, -2], "s": "30.0", "f": 0.5}"#
        );
        assert_eq!(
            whole_floats_as_integers("[-0, -0.0, 0e9, 1.50e1, 1E+2, 0.1e1, 00.5e1, 100e-2]")
                .unwrap(),
            "[0, 0, 0, 15, 100, 1, 5, 1]"
        );
        assert_eq!(
            whole_floats_as_integers("[9007199254740993.0, 18446744073709551615.0, 1e38]").unwrap(),
            "[9007199254740993, 18446744073709551615, 100000000000000000000000000000000000000]"
        );
        for other in [
            "-5",
            "0.5",
            "9007199254740991.4",
            "-1e-400",
            "1e40",
            "1e99999999999",
            "1e",
            ".",
            "-",
            "e5",
        ] {
            assert_eq!(whole_floats_as_integers(other), None, "{other}");
        }
        assert_eq!(
            whole_floats_as_integers(r#"["30.0", 30, 0.5, 1e300, 1e999]"#),
            None
        );
    }

    #[test]
    fn text_that_is_no_json_does_no_harm() {
        for text in ["\"\\", "\"é", "]]],,::", "{\"", "1.0.0", "é.0"] {
            path_at(text, text.len());
            count_items(text);
            whole_floats_as_integers(text);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_at_all_does_harm(text in r#"([\[\]{},:"\\ 0-9.eE-]|\PC)*"#, offset in 0_usize..64) {
            path_at(&text, offset);
            count_items(&text);
            whole_floats_as_integers(&text);
        }

        #[test]
        fn rewriting_a_float_keeps_its_value(number in -1e16_f64..1e16) {
            for number in [number, number.trunc()] {
                let text = format!("{number:e}");
                let rewritten = whole_floats_as_integers(&text).unwrap_or(text);
                proptest::prop_assert_eq!(rewritten.parse(), Ok(number));
            }
        }
    }
}
