//! A page to visit, opened only if the user says so.

use std::io;

use dialoguer::Result as Asked;
use mcp_tasks::client::Answer;

use super::menu::choose;
use crate::clean;

#[derive(Clone, Copy)]
enum Choice {
    Open,
    Agree,
    Decline,
    Dismiss,
}

/// Asks whether to visit the page, whose address the user has before their eyes.
pub(super) fn ask(url: &str) -> Asked<Answer<()>> {
    let mut items = vec![
        (Choice::Agree, "Agree, and visit it yourself"),
        (Choice::Decline, "Decline"),
        (Choice::Dismiss, "Dismiss: neither yes nor no"),
    ];
    if may_be_opened(url) {
        items.insert(0, (Choice::Open, "Agree, and open it in the browser"));
    }
    Ok(match choose("Visit this page?", &items, 0)? {
        Some(Choice::Open) => {
            if let Err(error) = open(url) {
                eprintln!("  it cannot be opened: {error}");
            }
            Answer::Accepted(())
        }
        Some(Choice::Agree) => Answer::Accepted(()),
        Some(Choice::Decline) => Answer::Declined,
        Some(Choice::Dismiss) | None => Answer::Dismissed,
    })
}

/// A page on the web, by an address that was shown as it is.
fn may_be_opened(url: &str) -> bool {
    let web = ["http://", "https://"]
        .iter()
        .any(|scheme| url.starts_with(scheme));
    web && url == clean::line(url)
}

/// Opens the page by `$BROWSER`, or else as the system does.
fn open(url: &str) -> io::Result<()> {
    match std::env::var("BROWSER") {
        Ok(browser) if !browser.is_empty() => open::with_detached(url, browser),
        _ => open::that_detached(url),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_shown_as_it_is_may_be_opened() {
        assert!(may_be_opened("https://example.org/a?b=c#d"));
        assert!(!may_be_opened("file:///etc/passwd"));
        assert!(!may_be_opened("javascript:alert(1)"));
        assert!(!may_be_opened("https://example.org/\u{202e}gro"));
        assert!(!may_be_opened("https://example.org/\x1b[2K"));
    }
}
