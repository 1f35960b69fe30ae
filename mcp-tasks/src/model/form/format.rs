//! The four string formats a form can ask for. The checks are pragmatic: they catch what a person mistypes,
//! and let through what only a resolver or a mail server could refuse.

/// What a string must look like.
///
/// [`Form`](super::Form) shows a field that has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// An e-mail address.
    Email,
    /// A URI with its scheme.
    Uri,
    /// A day: `2026-07-28`.
    Date,
    /// A moment with its offset (RFC 3339): `2026-07-28T09:30:00Z`.
    DateTime,
}

impl Format {
    /// The name in a schema.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Uri => "uri",
            Self::Date => "date",
            Self::DateTime => "date-time",
        }
    }

    /// What is expected, in words: "an email address".
    pub fn expected(self) -> &'static str {
        match self {
            Self::Email => "an email address",
            Self::Uri => "a URI with its scheme",
            Self::Date => "a date like 2026-07-28",
            Self::DateTime => "a date-time like 2026-07-28T09:30:00Z",
        }
    }

    pub(crate) fn fits(self, text: &str) -> bool {
        match self {
            Self::Email => email(text),
            Self::Uri => uri(text),
            Self::Date => date(text),
            Self::DateTime => date_time(text),
        }
    }
}

fn email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let local_fits = !local.is_empty()
        && local.split('.').all(|atom| !atom.is_empty())
        && !local.contains(|c: char| {
            c.is_whitespace() || c.is_control() || "@,;:<>()[]\"\\".contains(c)
        });
    let domain_fits = domain.split('.').all(|label| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    });
    local_fits && domain_fits
}

fn uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && !rest.trim_matches('/').is_empty()
        && !rest
            .contains(|c: char| c.is_whitespace() || c.is_control() || "<>\"{}|\\^`".contains(c))
}

fn date(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return false;
    }
    let (Some(year), Some(month), Some(day)) = (
        digits(&bytes[..4]),
        digits(&bytes[5..7]),
        digits(&bytes[8..]),
    ) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

fn date_time(text: &str) -> bool {
    let Some((day, time)) = text.split_once(['T', 't']) else {
        return false;
    };
    let Some(at) = time.find(['Z', 'z', '+', '-']) else {
        return false;
    };
    let (clock, offset) = time.split_at(at);
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    date(day)
        && clock_fits(clock)
        && digits(fraction.as_bytes()).is_some()
        && (offset.eq_ignore_ascii_case("z") || hours_and_minutes(&offset[1..]))
}

/// `hh:mm:ss`; a leap second is a second.
fn clock_fits(clock: &str) -> bool {
    clock.rsplit_once(':').is_some_and(|(minutes, seconds)| {
        hours_and_minutes(minutes)
            && seconds.len() == 2
            && digits(seconds.as_bytes()).is_some_and(|seconds| seconds <= 60)
    })
}

fn hours_and_minutes(text: &str) -> bool {
    text.split_once(':').is_some_and(|(hours, minutes)| {
        hours.len() == 2
            && minutes.len() == 2
            && digits(hours.as_bytes()).is_some_and(|hours| hours < 24)
            && digits(minutes.as_bytes()).is_some_and(|minutes| minutes < 60)
    })
}

/// Decimal digits and nothing else; saturates, since only small numbers are compared.
fn digits(bytes: &[u8]) -> Option<u32> {
    if bytes.is_empty() || !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(bytes.iter().fold(0_u32, |sum, digit| {
        sum.saturating_mul(10)
            .saturating_add(u32::from(digit - b'0'))
    }))
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[track_caller]
    fn holds(format: Format, good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(
                format.fits(text),
                "{text:?} should be {}",
                format.expected()
            );
        }
        for text in bad {
            assert!(
                !format.fits(text),
                "{text:?} should not be {}",
                format.expected()
            );
        }
    }

    #[test]
    fn email_needs_a_local_part_and_a_domain() {
        holds(
            Format::Email,
            &[
                "a@b.c",
                "first.last+tag@example.com",
                "root@localhost",
                "ü@müller.de",
            ],
            &[
                "", "a", "@b.c", "a@", "a@@b", "a b@c.d", "a@b..c", "a@-b.c", ".a@b.c", "a@b.c\n",
                "<a@b.c>",
            ],
        );
    }

    #[test]
    fn uri_needs_a_scheme_and_no_blanks() {
        holds(
            Format::Uri,
            &[
                "https://example.com/a?b#c",
                "mailto:a@b.c",
                "urn:isbn:1",
                "file:///etc",
            ],
            &[
                "",
                "example.com",
                "://x",
                "1a:b",
                "https://",
                "https://a b",
                "http:\\\\x",
                "x:",
            ],
        );
    }

    #[test]
    fn date_knows_the_calendar() {
        holds(
            Format::Date,
            &["2026-07-28", "2024-02-29", "2000-02-29"],
            &[
                "",
                "2026-7-28",
                "2026-02-29",
                "1900-02-29",
                "2026-13-01",
                "2026-04-31",
                "2026-00-10",
                "28.07.2026",
                "2026-07-28T00:00:00Z",
                "２０２６-07-2",
            ],
        );
    }

    #[test]
    fn date_time_needs_seconds_and_an_offset() {
        holds(
            Format::DateTime,
            &[
                "2026-07-28T09:30:00Z",
                "2026-07-28t09:30:00.123456789+02:00",
                "2016-12-31T23:59:60z",
                "2026-07-28T09:30:00-11:30",
            ],
            &[
                "",
                "2026-07-28",
                "2026-07-28T09:30:00",
                "2026-07-28T09:30Z",
                "2026-07-28T24:00:00Z",
                "2026-07-28T09:60:00Z",
                "2026-07-28T09:30:61Z",
                "2026-07-28T09:30:00.Z",
                "2026-07-28T09:30:00+2",
                "2026-07-28T09:30:00Zx",
                "2026-07-28 09:30:00Z",
                "2026-07-28T09:30:00+é",
            ],
        );
    }
}
