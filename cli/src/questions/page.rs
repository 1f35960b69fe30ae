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
    let host = host(url).map(clean::whole);
    if host.as_deref().is_some_and(may_look_like_another) {
        eprintln!("  mind the letters of this name: they may look like another's");
    }
    let prompt = host.map_or("Visit this page?".to_owned(), |host| {
        format!("Visit this page at {host}?")
    });
    Ok(match choose(&prompt, &items, 0)? {
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
    host(url).is_some() && url == clean::whole(url) && !url.contains(' ')
}

/// Where a page on the web is, which the rest of a long address may hide. Browsers read `\` as `/`.
fn host(url: &str) -> Option<&str> {
    let rest = ["http://", "https://"]
        .iter()
        .find_map(|scheme| url.strip_prefix(scheme))?;
    let authority = rest.split(['/', '\\', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    (!host.is_empty()).then_some(host)
}

/// Whether a host's name has letters of which some look like others, as they are or encoded.
fn may_look_like_another(host: &str) -> bool {
    let encoded = |label: &str| label.to_ascii_lowercase().starts_with("xn--");
    !host.is_ascii() || host.split('.').any(encoded)
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
        assert!(!may_be_opened("https://example.org/a b"));
        assert!(!may_be_opened("https://"));
    }

    #[test]
    fn the_host_is_found_where_the_address_hides_it() {
        for (url, named) in [
            ("https://example.org/a@b", Some("example.org")),
            ("http://example.org:8080?x", Some("example.org:8080")),
            ("https://bank.example@evil.example/", Some("evil.example")),
            (r"https://evil.example\@bank.example/", Some("evil.example")),
            ("https://evil.example#@bank.example", Some("evil.example")),
            ("mailto:a@b.example", None),
            ("https:///x", None),
        ] {
            assert_eq!(host(url), named, "{url}");
        }
    }

    #[test]
    fn names_that_may_look_like_others_are_known() {
        assert!(may_look_like_another("g\u{43e}\u{43e}d.example"));
        assert!(may_look_like_another("www.XN--80ak6aa92e.example"));
        assert!(!may_look_like_another("xn.example"));
    }
}
