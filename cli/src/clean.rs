//! Text of a server's, made fit to be printed: it may do nothing to the terminal and look like nothing it is not.

/// What a line of status may take; the rest says nothing to whoever watches.
const STATUS_CHARS: usize = 300;

/// Text of several lines without escape sequences, control characters, and what turns the direction of writing.
pub(crate) fn block(text: &str) -> String {
    let spaced = text.replace("\r\n", "\n").replace('\t', "    ");
    let spelt: String = spaced.chars().flat_map(spell_out).collect();
    let plain = strip_ansi_escapes::strip_str(&spelt);
    plain
        .chars()
        .filter(|c| *c == '\n' || is_plain(*c))
        .collect()
}

/// A control character of one code as the two that mean the same: `strip_ansi_escapes` knows those alone.
fn spell_out(c: char) -> impl Iterator<Item = char> {
    let code = match c {
        '\u{80}'..='\u{9f}' => char::from_u32(u32::from(c) - 0x40),
        _ => None,
    };
    let two = code.map(|code| ['\x1b', code]);
    let same = two.is_none().then_some(c);
    two.into_iter().flatten().chain(same)
}

/// The same with all lines but the first set in, so that none of them looks like a line of this program's.
pub(crate) fn hanging(text: &str) -> String {
    block(text).trim().replace('\n', "\n  ")
}

/// The same in one line.
pub(crate) fn line(text: &str) -> String {
    block(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same in one line of bounded length.
pub(crate) fn status(text: &str) -> String {
    let line = line(text);
    match line.char_indices().nth(STATUS_CHARS) {
        None => line,
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// The same, where nothing may be left out: what cannot be shown is spelt out, and so are spaces that are no spaces.
pub(crate) fn whole(text: &str) -> String {
    let spelt = |c: char| {
        if is_plain(c) && (!c.is_whitespace() || c == ' ') {
            c.to_string()
        } else {
            c.escape_unicode().to_string()
        }
    };
    text.chars().map(spelt).collect()
}

/// Whether a character shows as itself and changes nothing round it.
pub(crate) fn is_plain(c: char) -> bool {
    !c.is_control()
        && !matches!(
            c,
            // Marks, embeddings and isolates of bidirectional text, by which an address can be made to look like another.
            '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Separators that some terminals break lines at, and characters of no width.
            | '\u{2028}' | '\u{2029}' | '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_lines_are_set_in() {
        assert_eq!(hanging("no\r\nmcp-tasks: yes\n"), "no\n  mcp-tasks: yes");
    }

    #[test]
    fn what_is_shown_whole_spells_out_what_cannot_be_shown() {
        assert_eq!(
            whole("https://a.example/é?b=c d"),
            "https://a.example/é?b=c d"
        );
        assert_eq!(
            whole("a\x1b[2K\rb\u{202e}c\u{a0}"),
            r"a\u{1b}[2K\u{d}b\u{202e}c\u{a0}"
        );
    }

    #[test]
    fn colours_titles_and_links_leave_their_text_alone() {
        assert_eq!(block("\x1b[31mred\x1b[0m"), "red");
        assert_eq!(block("\x1b]0;title\x07text"), "text");
        assert_eq!(
            block("\x1b]8;;http://evil\x1b\\shown\x1b]8;;\x1b\\"),
            "shown"
        );
        assert_eq!(block("\x1bP1$r\x1b\\a"), "a");
    }

    #[test]
    fn what_moves_the_cursor_is_dropped() {
        assert_eq!(block("safe\rgone\x08\x07\x7f"), "safegone");
        assert_eq!(block("a\x1b[2J\x1b[1;1Hb"), "ab");
        assert_eq!(block("a\u{9b}31mb\u{85}c"), "abc");
    }

    #[test]
    fn the_direction_of_writing_cannot_be_turned() {
        assert_eq!(line("https://good\u{202e}moc.live"), "https://goodmoc.live");
        assert_eq!(line("a\u{200b}b\u{2066}c"), "abc");
    }

    #[test]
    fn lines_stay_lines_and_letters_letters() {
        assert_eq!(block("a\r\nb\tc\nπ 漢 🐧"), "a\nb    c\nπ 漢 🐧");
        assert_eq!(line("a\r\nb\t c\n"), "a b c");
    }

    #[test]
    fn a_status_is_of_bounded_length() {
        let shown = status(&"x".repeat(10_000));
        assert_eq!(shown.chars().count(), STATUS_CHARS + 1);
        assert_eq!(status("short"), "short");
    }

    #[test]
    fn nothing_that_ends_in_the_middle_of_a_sequence_gets_through() {
        for text in ["\x1b", "a\x1b[", "a\x1b]0;b", "a\x1b[38;5", "\u{9d}x"] {
            assert!(block(text).chars().all(is_plain), "{text:?}");
        }
    }
}
