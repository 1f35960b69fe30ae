//! Text for the model that may not grow beyond a limit.

use std::fmt;

/// Stands where text was cut off.
const MARKER: &str = " … (cut)";

/// A text of at most so many bytes. What does not fit is dropped and marked; whoever writes learns
/// of it by an error, so that a `Display` of many megabytes stops early.
pub(super) struct Capped {
    text: String,
    cap: usize,
    cut: bool,
}

impl Capped {
    pub(super) fn new(cap: usize) -> Self {
        Self {
            text: String::new(),
            cap,
            cut: false,
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn finish(mut self) -> String {
        if self.cut {
            let keep = boundary(&self.text, self.cap.saturating_sub(MARKER.len()));
            self.text.truncate(keep);
            if self.cap >= MARKER.len() {
                self.text.push_str(MARKER);
            }
        }
        self.text
    }
}

impl fmt::Write for Capped {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let room = self.cap - self.text.len();
        if self.cut || more.len() > room {
            self.cut = true;
            self.text.push_str(&more[..boundary(more, room)]);
            return Err(fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

/// The last start of a character in `text` at or before `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// `text` with at most `cap` bytes, marked if it was longer.
pub(super) fn capped(text: &str, cap: usize) -> String {
    use fmt::Write as _;
    let mut out = Capped::new(cap);
    // An error only says that the text was cut, and the marker says so too.
    let _ = out.write_str(text);
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_within_the_cap_is_left_alone() {
        assert_eq!(capped("12345", 5), "12345");
        assert_eq!(capped("", 0), "");
    }

    #[test]
    fn longer_text_is_cut_on_a_character_and_marked() {
        let out = capped(&"ä".repeat(100), 51);
        assert!(out.len() <= 51, "{}", out.len());
        assert!(out.ends_with(MARKER) && out.starts_with("ää"), "{out}");
    }

    #[test]
    fn a_cap_smaller_than_the_marker_still_holds() {
        assert!(capped("a long text", 3).len() <= 3);
    }
}
