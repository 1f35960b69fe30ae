//! What one cell holds.

/// A cell, read as narrowly as its text allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    /// Nothing, or a customary word for it.
    Missing,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer(i64),
    /// Any other finite number.
    Number(f64),
    /// A day, with or without a time.
    Date,
    /// Anything else.
    Text,
}

impl Value {
    /// Reads a cell that is already trimmed.
    pub(super) fn of(cell: &str) -> Self {
        let Some(&first) = cell.as_bytes().first() else {
            return Self::Missing;
        };
        if ["na", "n/a", "nan", "null"]
            .iter()
            .any(|word| cell.eq_ignore_ascii_case(word))
        {
            return Self::Missing;
        }
        if cell.eq_ignore_ascii_case("true") || cell.eq_ignore_ascii_case("false") {
            return Self::Boolean;
        }
        if !matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.') {
            return Self::Text;
        }
        number(cell).unwrap_or(if is_date(cell) {
            Self::Date
        } else {
            Self::Text
        })
    }
}

fn number(cell: &str) -> Option<Value> {
    if is_code(cell) {
        return None;
    }
    if let Ok(integer) = cell.parse() {
        return Some(Value::Integer(integer));
    }
    let number: f64 = cell.parse().ok()?;
    number.is_finite().then_some(Value::Number(number))
}

/// Digits behind a leading zero are a post code or a phone number; a mean of these says nothing.
fn is_code(cell: &str) -> bool {
    let digits = cell.trim_start_matches(['+', '-']).as_bytes();
    matches!(digits, [b'0', b'0'..=b'9', ..])
}

/// `YYYY-MM-DD`, alone or before a time that starts with `HH:MM`.
fn is_date(cell: &str) -> bool {
    let Some((day, rest)) = cell.split_at_checked(10) else {
        return false;
    };
    is_like(day, "0000-00-00")
        && ("01"..="12").contains(&&day[5..7])
        && ("01"..="31").contains(&&day[8..])
        && (rest.is_empty() || rest.strip_prefix(['T', ' ']).is_some_and(starts_with_time))
}

fn starts_with_time(text: &str) -> bool {
    text.get(..5)
        .is_some_and(|time| is_like(time, "00:00") && time[..2] <= *"23" && time[3..] <= *"59")
}

/// Whether `text` has digits where `pattern` has `0`, and is the same everywhere else.
fn is_like(text: &str, pattern: &str) -> bool {
    text.len() == pattern.len()
        && text
            .bytes()
            .zip(pattern.bytes())
            .all(|(byte, wanted)| match wanted {
                b'0' => byte.is_ascii_digit(),
                _ => byte == wanted,
            })
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn words_for_nothing_are_missing() {
        for cell in ["", "NA", "n/a", "NaN", "NULL"] {
            assert_eq!(Value::of(cell), Value::Missing, "{cell}");
        }
    }

    #[test]
    fn numbers_are_as_narrow_as_they_fit() {
        assert_eq!(Value::of("-12"), Value::Integer(-12));
        assert_eq!(Value::of("+7"), Value::Integer(7));
        assert_eq!(Value::of("0"), Value::Integer(0));
        assert_eq!(Value::of("0.5"), Value::Number(0.5));
        assert_eq!(Value::of(".5"), Value::Number(0.5));
        assert_eq!(Value::of("1e3"), Value::Number(1000.0));
        assert_eq!(
            Value::of("9223372036854775808"),
            Value::Number(9_223_372_036_854_775_808.0)
        );
    }

    #[test]
    fn what_only_looks_like_a_number_is_text() {
        for cell in [
            "007", "-01", "1e999", "inf", "+inf", "1,5", "-", "12 kg", "0x10", "+-5",
        ] {
            assert_eq!(Value::of(cell), Value::Text, "{cell}");
        }
    }

    #[test]
    fn days_and_times_are_dates() {
        for cell in [
            "2007-11-11",
            "2007-11-11T08:30",
            "2007-11-11 08:30:00Z",
            "2007-11-11T23:59:59+02:00",
        ] {
            assert_eq!(Value::of(cell), Value::Date, "{cell}");
        }
        for cell in [
            "2007-13-01",
            "2007-1-01",
            "2007-11-11T",
            "2007-11-11 noon",
            "11-11-2007",
            "2007-+1-01",
        ] {
            assert_eq!(Value::of(cell), Value::Text, "{cell}");
        }
    }

    #[test]
    fn other_scripts_are_text() {
        for cell in ["三", "1三三三三", "2007-11-1三"] {
            assert_eq!(Value::of(cell), Value::Text, "{cell}");
        }
    }
}
