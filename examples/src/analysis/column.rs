//! One column's running summary.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};

use super::report::{ColumnReport, Kind};
use super::value::Value;

/// Different values that are told apart; beyond, only that there are more.
const MOST_DISTINCT: usize = 1_000;

/// Characters kept of a text.
const LONGEST_TEXT: usize = 80;

/// What a column held so far. Its size does not depend on the number of rows.
#[derive(Debug, Default)]
pub(super) struct Column {
    missing: u64,
    booleans: u64,
    integers: u64,
    numbers: u64,
    dates: u64,
    texts: u64,
    invalid_utf8: u64,
    integer_range: Option<(i64, i64)>,
    number_range: Option<(f64, f64)>,
    mean: f64,
    text_range: Option<(String, String)>,
    /// Hashes stand for the values, which may be long.
    distinct: HashSet<u64>,
    more_distinct: bool,
}

impl Column {
    /// Takes one cell in.
    pub(super) fn take(&mut self, cell: &[u8]) {
        let text = String::from_utf8_lossy(cell);
        if matches!(text, Cow::Owned(_)) {
            self.invalid_utf8 += 1;
        }
        let text = text.trim();
        match Value::of(text) {
            Value::Missing => {
                self.missing += 1;
                return;
            }
            Value::Boolean => self.booleans += 1,
            Value::Integer(integer) => self.take_integer(integer),
            Value::Number(number) => {
                self.numbers += 1;
                self.take_number(number);
            }
            Value::Date => self.dates += 1,
            Value::Text => self.texts += 1,
        }
        self.take_text(text);
        self.take_distinct(text.as_bytes());
    }

    fn take_integer(&mut self, integer: i64) {
        let (min, max) = self.integer_range.unwrap_or((integer, integer));
        self.integer_range = Some((min.min(integer), max.max(integer)));
        self.integers += 1;
        #[expect(
            clippy::cast_precision_loss,
            reason = "a mean is a float, and the range stays exact"
        )]
        self.take_number(integer as f64);
    }

    /// The mean moves by each value's share, so no sum of a long column can overflow.
    fn take_number(&mut self, number: f64) {
        let (min, max) = self.number_range.unwrap_or((number, number));
        self.number_range = Some((min.min(number), max.max(number)));
        #[expect(clippy::cast_precision_loss, reason = "no file has 2^53 rows")]
        let count = (self.integers + self.numbers) as f64;
        self.mean += (number - self.mean) / count;
    }

    fn take_text(&mut self, text: &str) {
        let text = clip(text);
        match &mut self.text_range {
            None => self.text_range = Some((text.to_owned(), text.to_owned())),
            Some((first, _)) if text < first.as_str() => text.clone_into(first),
            Some((_, last)) if text > last.as_str() => text.clone_into(last),
            Some(_) => {}
        }
    }

    fn take_distinct(&mut self, cell: &[u8]) {
        if self.more_distinct {
            return;
        }
        let mut hasher = DefaultHasher::new();
        hasher.write(cell);
        let hash = hasher.finish();
        if self.distinct.len() < MOST_DISTINCT {
            self.distinct.insert(hash);
        } else {
            self.more_distinct = !self.distinct.contains(&hash);
        }
    }

    fn kind(&self) -> Kind {
        let numbers = self.integers + self.numbers;
        match numbers + self.booleans + self.dates + self.texts {
            0 => Kind::Empty,
            present if present == self.integers => Kind::Integer,
            present if present == numbers => Kind::Number,
            present if present == self.booleans => Kind::Boolean,
            present if present == self.dates => Kind::Date,
            _ => Kind::Text,
        }
    }

    /// What the column called `name` held.
    pub(super) fn report(&self, name: &str) -> ColumnReport {
        let kind = self.kind();
        let range = match kind {
            Kind::Integer => self
                .integer_range
                .map(|(min, max)| (min.into(), max.into())),
            Kind::Number => self.number_range.and_then(|(min, max)| {
                Some((
                    serde_json::Number::from_f64(min)?,
                    serde_json::Number::from_f64(max)?,
                ))
            }),
            _ => None,
        };
        let texts = match kind {
            Kind::Date | Kind::Text => self.text_range.clone(),
            _ => None,
        };
        let (min, max) = range.unzip();
        let (first, last) = texts.unzip();
        ColumnReport {
            name: name.to_owned(),
            kind,
            missing: self.missing,
            invalid_utf8: self.invalid_utf8,
            distinct: self.distinct.len() as u64,
            more_distinct: self.more_distinct,
            mean: Some(self.mean).filter(|mean| min.is_some() && mean.is_finite()),
            min,
            max,
            first,
            last,
        }
    }
}

fn clip(text: &str) -> &str {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&str]) -> ColumnReport {
        let mut column = Column::default();
        for cell in cells {
            column.take(cell.as_bytes());
        }
        column.report("c")
    }

    #[test]
    fn integers_keep_their_last_digit() {
        let found = column(&["9007199254740993", "NA", "-9007199254740993"]);
        assert_eq!(
            (found.kind, found.missing, found.distinct),
            (Kind::Integer, 1, 2)
        );
        assert_eq!(found.min, Some((-9_007_199_254_740_993_i64).into()));
        assert_eq!(found.max, Some(9_007_199_254_740_993_i64.into()));
        assert_eq!(found.mean, Some(0.0));
    }

    #[test]
    fn one_fraction_makes_a_number_column() {
        let found = column(&["1", "2.5", " 4 "]);
        assert_eq!((found.kind, found.mean), (Kind::Number, Some(2.5)));
        assert_eq!(
            (found.min.unwrap().as_f64(), found.max.unwrap().as_f64()),
            (Some(1.0), Some(4.0))
        );
    }

    #[test]
    fn numbers_too_large_for_a_mean_give_none() {
        let found = column(&["1e308", "-1e308"]);
        assert_eq!((found.kind, found.mean), (Kind::Number, None));
        assert!(found.min.is_some());
    }

    #[test]
    fn one_word_among_numbers_makes_a_text_column() {
        let found = column(&["1", "2", "many"]);
        assert_eq!(
            (found.kind, found.min, found.mean),
            (Kind::Text, None, None)
        );
        assert_eq!(
            (found.first.as_deref(), found.last.as_deref()),
            (Some("1"), Some("many"))
        );
    }

    #[test]
    fn booleans_and_dates_are_told_from_text() {
        assert_eq!(column(&["true", "FALSE"]).kind, Kind::Boolean);
        let dates = column(&["2009-01-02", "2007-11-11"]);
        assert_eq!(
            (dates.kind, dates.first.as_deref()),
            (Kind::Date, Some("2007-11-11"))
        );
    }

    #[test]
    fn distinct_values_are_counted_up_to_the_cap() {
        let cells: Vec<_> = (0..MOST_DISTINCT)
            .map(|number| number.to_string())
            .collect();
        let mut cells: Vec<_> = cells.iter().map(String::as_str).collect();
        cells.push("0");
        assert!(!column(&cells).more_distinct);
        cells.push("one more");
        let found = column(&cells);
        assert_eq!((found.distinct, found.more_distinct), (1_000, true));
    }

    #[test]
    fn long_texts_are_clipped_between_characters() {
        let found = column(&["é".repeat(200).as_str()]);
        assert_eq!(found.last.unwrap().chars().count(), LONGEST_TEXT);
    }

    #[test]
    fn invalid_utf8_is_counted_and_shown_with_marks() {
        let mut column = Column::default();
        column.take(b"caf\xe9");
        let found = column.report("c");
        assert_eq!((found.kind, found.invalid_utf8), (Kind::Text, 1));
        assert_eq!(found.first.as_deref(), Some("caf\u{fffd}"));
    }

    #[test]
    fn nothing_but_missing_cells_is_an_empty_column() {
        let found = column(&["", "NA"]);
        assert_eq!(
            (found.kind, found.missing, found.distinct, found.mean),
            (Kind::Empty, 2, 0, None)
        );
    }
}
