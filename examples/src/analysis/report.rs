//! What an analysis found, for programs and for people.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// Columns written out for people; programs get all of them.
const COLUMNS_IN_TEXT: usize = 50;

/// What a CSV file holds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Report {
    /// The file's name as it was asked for
    pub dataset: String,
    /// Rows read, without the header
    pub rows: u64,
    /// Whether the file was read to its end
    pub complete: bool,
    /// Rows with more or fewer fields than the header
    pub ragged_rows: u64,
    /// The columns, in the order of the file
    pub columns: Vec<ColumnReport>,
}

/// What one column holds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ColumnReport {
    /// The column's name in the header
    pub name: String,
    /// The narrowest type that fits every value
    #[serde(rename = "type")]
    pub kind: Kind,
    /// Empty cells, and `NA`, `N/A`, `NaN`, `null`
    pub missing: u64,
    /// Cells that are not valid UTF-8
    pub invalid_utf8: u64,
    /// Different values found
    pub distinct: u64,
    /// Whether there are more different values than were counted
    pub more_distinct: bool,
    /// The smallest value of a numeric column
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<serde_json::Number>,
    /// The largest value of a numeric column
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<serde_json::Number>,
    /// The mean of a numeric column
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// The first value of a text or date column in alphabetical order, at most 80 characters of it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The last value of a text or date column in alphabetical order, at most 80 characters of it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
}

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// No values at all
    Empty,
    /// `true` and `false`
    Boolean,
    /// Whole numbers
    Integer,
    /// Numbers, some with a fraction
    Number,
    /// Days as `YYYY-MM-DD`, with or without a time
    Date,
    /// Anything else
    Text,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Date => "date",
            Self::Text => "text",
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.complete {
            "read to the end"
        } else {
            "the rest was not read"
        };
        write!(
            f,
            "{}: {} rows, {} columns, {end}",
            self.dataset,
            self.rows,
            self.columns.len()
        )?;
        if self.ragged_rows > 0 {
            write!(f, ", {} rows not as long as the header", self.ragged_rows)?;
        }
        for column in self.columns.iter().take(COLUMNS_IN_TEXT) {
            write!(f, "\n{column}")?;
        }
        if self.columns.len() > COLUMNS_IN_TEXT {
            write!(
                f,
                "\nand {} more columns",
                self.columns.len() - COLUMNS_IN_TEXT
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for ColumnReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.kind.name())?;
        if let (Some(min), Some(max)) = (&self.min, &self.max) {
            write!(f, " from {min} to {max}")?;
        }
        if let Some(mean) = self.mean {
            write!(f, ", mean {mean:.2}")?;
        }
        if let (Some(first), Some(last)) = (&self.first, &self.last) {
            write!(f, " from {first:?} to {last:?}")?;
        }
        let more = if self.more_distinct { "more than " } else { "" };
        write!(
            f,
            ", {more}{} distinct, {} missing",
            self.distinct, self.missing
        )?;
        if self.invalid_utf8 > 0 {
            write!(f, ", {} not valid UTF-8", self.invalid_utf8)?;
        }
        Ok(())
    }
}
