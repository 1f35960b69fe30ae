//! Chunks of bytes to lines, in memory bounded by the longest line allowed.

use std::io::BufRead;

/// Cuts a stream of chunks at its newlines.
pub(super) struct Lines {
    /// The start of a line whose end has not come.
    partial: Vec<u8>,
    /// What is in `partial` has been told as a line.
    told: bool,
    /// The line was too long: its rest is thrown away.
    skipping: bool,
    limit: usize,
}

/// What a chunk brought.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Whole(&'a [u8]),
    /// Longer than the limit; told once, as soon as it is.
    TooLong,
}

impl Lines {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            partial: Vec::new(),
            told: false,
            skipping: false,
            limit,
        }
    }

    /// Tells `each` every line that `chunk` completes.
    pub(super) fn feed(&mut self, mut chunk: &[u8], mut each: impl FnMut(Line<'_>)) {
        while let Some(line) = self.next(&mut chunk) {
            each(line);
        }
    }

    /// The first line that `chunk` completes, which is cut off it; what completes none is kept as the start of one.
    pub(super) fn next<'a, 'c: 'a>(&'a mut self, chunk: &mut &'c [u8]) -> Option<Line<'a>> {
        loop {
            if std::mem::take(&mut self.told) {
                // A huge line's memory is not kept for the small ones after it.
                self.partial = Vec::new();
            }
            let Some(end) = newline(chunk) else {
                let rest = std::mem::take(chunk);
                return self.start_of_line(rest);
            };
            let (line, rest) = (&chunk[..end], &chunk[end + 1..]);
            *chunk = rest;
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            self.told = true;
            return Some(if self.partial.len() + line.len() > self.limit {
                Line::TooLong
            } else if self.partial.is_empty() {
                Line::Whole(line)
            } else {
                self.partial.extend_from_slice(line);
                Line::Whole(&self.partial)
            });
        }
    }

    /// The stream has ended: what it left without a newline is a line too.
    pub(super) fn finish(&mut self, mut each: impl FnMut(Line<'_>)) {
        if !self.told && !self.partial.is_empty() {
            each(Line::Whole(&self.partial));
            self.partial = Vec::new();
        }
    }

    fn start_of_line(&mut self, chunk: &[u8]) -> Option<Line<'static>> {
        if self.skipping || chunk.is_empty() {
            return None;
        }
        if self.partial.len() + chunk.len() > self.limit {
            self.partial = Vec::new();
            self.skipping = true;
            return Some(Line::TooLong);
        }
        self.partial.extend_from_slice(chunk);
        None
    }
}

/// Where the first newline is, found by the standard library's fast search.
fn newline(bytes: &[u8]) -> Option<usize> {
    let mut rest = bytes;
    // A slice is read without errors.
    let length = rest.skip_until(b'\n').unwrap_or_default();
    bytes[..length].ends_with(b"\n").then(|| length - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(limit: usize, chunks: &[&str]) -> Vec<String> {
        let mut lines = Lines::new(limit);
        let mut seen = Vec::new();
        let mut each = |line: Line<'_>| {
            seen.push(match line {
                Line::Whole(bytes) => String::from_utf8(bytes.to_vec()).expect("ascii"),
                Line::TooLong => "too long".to_owned(),
            });
        };
        for chunk in chunks {
            lines.feed(chunk.as_bytes(), &mut each);
        }
        lines.finish(&mut each);
        seen
    }

    #[test]
    fn lines_are_cut_wherever_the_chunks_end() {
        assert_eq!(cut(100, &["a\nb", "c\n", "\nd"]), ["a", "bc", "", "d"]);
    }

    #[test]
    fn a_line_over_the_limit_is_told_once_and_the_next_one_is_read() {
        assert_eq!(cut(4, &["123", "45", "678", "9\nab\n"]), ["too long", "ab"]);
        assert_eq!(cut(4, &["12345\nab\n"]), ["too long", "ab"]);
        assert_eq!(cut(4, &["123", "45\nab\n"]), ["too long", "ab"]);
    }

    #[test]
    fn a_line_of_exactly_the_limit_is_read() {
        assert_eq!(cut(4, &["12", "34\n"]), ["1234"]);
    }
}
