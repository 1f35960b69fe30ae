//! JSON for programs: one document, on one line, exact, and without a character that could do harm in a terminal.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, Serializer};

use crate::clean::is_plain;

/// The document in one line. What [`is_plain`] refuses is written as `\u….`, which means the same.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut out = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut out, Escaped(CompactFormatter));
    match value.serialize(&mut serializer) {
        Ok(()) => String::from_utf8_lossy(&out).into_owned(),
        Err(error) => unreachable!("JSON that was read can be written: {error}"),
    }
}

struct Escaped(CompactFormatter);

impl Formatter for Escaped {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + Write,
    {
        let mut written = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| !is_plain(*c)) {
            writer.write_all(&fragment.as_bytes()[written..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            written = at + c.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[written..])
    }

    fn write_char_escape<W>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()>
    where
        W: ?Sized + Write,
    {
        self.0.write_char_escape(writer, escape)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_document_reads_back_as_it_was() {
        let value = json!({ "a\u{9b}": ["\x1b[31m", "\u{202e}\u{e0041}\u{7f}x", "π"], "b": 1.5, "c": null });
        let written = line(&value);
        assert!(written.chars().all(is_plain), "{written:?}");
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value);
        assert!(written.contains('π'), "letters stay: {written}");
    }
}
