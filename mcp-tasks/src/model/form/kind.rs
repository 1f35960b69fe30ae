//! The kinds of value a field can take: the whole list of the protocol, which has no others.

use serde_json::Value;

use super::format::Format;

/// What a field takes.
///
/// [`Form`](super::Form) shows fields of several.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// A string.
    Text(Text),
    /// A whole number.
    Integer(Integer),
    /// A number.
    Number(Number),
    /// Yes or no.
    Boolean(Boolean),
    /// One of several values.
    Choice(Choice),
    /// Any of several values.
    Choices(Choices),
}

/// A string.
///
/// [`Field::text`](super::Field::text) makes one, as a [`Form`](super::Form) shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    pub(crate) min_len: Option<usize>,
    pub(crate) max_len: Option<usize>,
    pub(crate) format: Option<Format>,
    pub(crate) default: Option<String>,
}

/// A whole number. Those beyond `i64` do not fit: most clients could not carry them anyway.
///
/// [`Field::integer`](super::Field::integer) makes one, as a [`Form`](super::Form) shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Integer {
    pub(crate) min: Option<i64>,
    pub(crate) max: Option<i64>,
    pub(crate) default: Option<i64>,
}

/// A number.
///
/// [`Field::number`](super::Field::number) makes one, as a [`Form`](super::Form) shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Number {
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
    pub(crate) default: Option<f64>,
}

/// Yes or no.
///
/// [`Field::boolean`](super::Field::boolean) makes one, as a [`Form`](super::Form) shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Boolean {
    pub(crate) default: Option<bool>,
}

/// One of several values.
///
/// [`Field::choice`](super::Field::choice) makes one, as a [`Form`](super::Form) shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub(crate) items: Vec<ChoiceItem>,
    pub(crate) default: Option<String>,
    pub(crate) enum_names: bool,
}

/// Any of several values, each at most once.
///
/// [`Field::choices`](super::Field::choices) makes one, as a [`Form`](super::Form) shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    pub(crate) items: Vec<ChoiceItem>,
    pub(crate) min_items: Option<usize>,
    pub(crate) max_items: Option<usize>,
    pub(crate) default: Option<Vec<String>>,
}

/// A value to choose, and what the user reads in its place.
///
/// Made from a string, or from a pair of a value and a title.
///
/// [`Form`](super::Form) shows a field that has some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceItem {
    pub(crate) value: String,
    pub(crate) title: Option<String>,
}

impl Text {
    /// The fewest characters (Unicode scalar values).
    pub fn min_len(&self) -> Option<usize> {
        self.min_len
    }

    /// The most characters (Unicode scalar values).
    pub fn max_len(&self) -> Option<usize> {
        self.max_len
    }

    /// What the string must look like.
    pub fn format(&self) -> Option<Format> {
        self.format
    }
}

impl Integer {
    /// The least value.
    pub fn min(&self) -> Option<i64> {
        self.min
    }

    /// The greatest value.
    pub fn max(&self) -> Option<i64> {
        self.max
    }
}

impl Number {
    /// The least value.
    pub fn min(&self) -> Option<f64> {
        self.min
    }

    /// The greatest value.
    pub fn max(&self) -> Option<f64> {
        self.max
    }
}

impl Choice {
    /// What there is to choose from.
    pub fn items(&self) -> &[ChoiceItem] {
        &self.items
    }
}

impl Choices {
    /// What there is to choose from.
    pub fn items(&self) -> &[ChoiceItem] {
        &self.items
    }

    /// The fewest values.
    pub fn min_items(&self) -> Option<usize> {
        self.min_items
    }

    /// The most values.
    pub fn max_items(&self) -> Option<usize> {
        self.max_items
    }
}

impl ChoiceItem {
    /// The value that is sent.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The title, or the value where there is none.
    pub fn label(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.value)
    }
}

impl From<&str> for ChoiceItem {
    fn from(value: &str) -> Self {
        Self {
            value: value.to_owned(),
            title: None,
        }
    }
}

impl From<String> for ChoiceItem {
    fn from(value: String) -> Self {
        Self { value, title: None }
    }
}

impl<V: Into<String>, T: Into<String>> From<(V, T)> for ChoiceItem {
    fn from((value, title): (V, T)) -> Self {
        Self {
            value: value.into(),
            title: Some(title.into()),
        }
    }
}

impl Kind {
    /// The value shown at first, and taken if the user gives none.
    pub fn default(&self) -> Option<Value> {
        match self {
            Self::Text(kind) => kind.default.clone().map(Value::from),
            Self::Integer(kind) => kind.default.map(Value::from),
            Self::Number(kind) => kind.default.map(Value::from),
            Self::Boolean(kind) => kind.default.map(Value::from),
            Self::Choice(kind) => kind.default.clone().map(Value::from),
            Self::Choices(kind) => kind.default.clone().map(Value::from),
        }
    }
}
