//! An answer against its form.

use std::fmt::Display;

use serde_json::{Map, Value};

use super::Form;
use super::field::Field;
use super::kind::{ChoiceItem, Choices, Integer, Kind, Number, Text};

/// How much of a value, or how many choices, a fault text repeats.
const SHOWN_CHARS: usize = 40;
const SHOWN_ITEMS: usize = 20;

impl Form {
    /// What a user filled in, checked against this form: required fields are there, each value fits, defaults
    /// stand in for what is missing, `30.0` for a whole number becomes `30`. `null` is the same as nothing, and fields
    /// that the form does not have are dropped.
    ///
    /// # Errors
    /// All faults together, each naming its field.
    // A client that sends more than it was asked cannot wedge a task.
    pub fn check(&self, mut content: Map<String, Value>) -> Result<Map<String, Value>, String> {
        let mut checked = Map::new();
        let mut faults = Vec::new();
        for field in self.fields() {
            let value = content
                .get_mut(&field.name)
                .map_or(Value::Null, Value::take);
            match field.check(value) {
                Ok(Some(value)) => drop(checked.insert(field.name.clone(), value)),
                Ok(None) => {}
                Err(fault) => faults.push(fault),
            }
        }
        if faults.is_empty() {
            Ok(checked)
        } else {
            Err(faults.join("; "))
        }
    }
}

impl Field {
    /// What a value must be, in words that begin in the middle of a sentence: `a whole number (1 to 12)`. Of many choices
    /// the first are named.
    ///
    /// ```
    /// use mcp_tasks::form::{Field, Form};
    ///
    /// let form = Form::new().field(Field::integer("guests").min(1).max(12));
    /// assert_eq!(form.fields()[0].expected(), "a whole number (1 to 12)");
    /// ```
    pub fn expected(&self) -> String {
        self.kind.expected()
    }

    /// The value to use: the default where `value` is `null`, which stands for nothing filled in.
    ///
    /// # Errors
    /// What was expected, and what it is instead.
    pub fn check(&self, value: Value) -> Result<Option<Value>, String> {
        if value.is_null() {
            return match self.kind.default() {
                None if !self.optional => Err(fault(&self.name, &self.kind.expected(), "nothing")),
                default => Ok(default),
            };
        }
        match self.kind.check(value) {
            Ok(value) => Ok(Some(value)),
            Err(got) => Err(fault(&self.name, &self.kind.expected(), &got)),
        }
    }
}

fn fault(name: &str, expected: &str, got: &str) -> String {
    format!("`{name}`: expected {expected}, got {got}")
}

impl Kind {
    /// The value in its normal form; `Err` says what was got instead.
    pub(super) fn check(&self, value: Value) -> Result<Value, String> {
        match (self, &value) {
            (Self::Text(kind), Value::String(text)) => kind.check(text)?,
            (Self::Integer(kind), Value::Number(_)) => return kind.check(&value),
            (Self::Number(kind), Value::Number(_)) => kind.check(&value)?,
            (Self::Boolean(_), Value::Bool(_)) => {}
            (Self::Choice(kind), Value::String(text)) if contains(&kind.items, text) => {}
            (Self::Choices(kind), Value::Array(values)) => kind.check(values)?,
            _ => return Err(got(&value)),
        }
        Ok(value)
    }

    /// What a value must be, in words.
    fn expected(&self) -> String {
        match self {
            Self::Text(kind) => {
                let base = kind.format.map_or("a string", super::Format::expected);
                base.to_owned() + &bounds(kind.min_len, kind.max_len, " characters")
            }
            Self::Integer(kind) => "a whole number".to_owned() + &bounds(kind.min, kind.max, ""),
            Self::Number(kind) => "a number".to_owned() + &bounds(kind.min, kind.max, ""),
            Self::Boolean(_) => "true or false".to_owned(),
            Self::Choice(kind) => format!("one of {}", listed(&kind.items)),
            Self::Choices(kind) => {
                let count = bounds(kind.min_items, kind.max_items, " items");
                format!(
                    "a list{count} of {}, each at most once",
                    listed(&kind.items)
                )
            }
        }
    }
}

impl Text {
    fn check(&self, text: &str) -> Result<(), String> {
        let chars = text.chars().count();
        if !within(&chars, self.min_len, self.max_len) {
            return Err(format!("{chars} characters"));
        }
        match self.format {
            Some(format) if !format.fits(text) => Err(quoted(text)),
            _ => Ok(()),
        }
    }
}

impl Integer {
    fn check(&self, value: &Value) -> Result<Value, String> {
        match whole(value) {
            Some(number) if within(&number, self.min, self.max) => Ok(Value::from(number)),
            _ => Err(got(value)),
        }
    }
}

impl Number {
    fn check(&self, value: &Value) -> Result<(), String> {
        let fits = value
            .as_f64()
            .is_some_and(|number| within(&number, self.min, self.max));
        if fits { Ok(()) } else { Err(got(value)) }
    }
}

impl Choices {
    fn check(&self, values: &[Value]) -> Result<(), String> {
        // Longer than the list of choices means a duplicate; it also bounds the search below.
        if !within(&values.len(), self.min_items, self.max_items) || values.len() > self.items.len()
        {
            return Err(format!("{} items", values.len()));
        }
        for (index, value) in values.iter().enumerate() {
            if !value
                .as_str()
                .is_some_and(|text| contains(&self.items, text))
            {
                return Err(format!("{} among them", got(value)));
            }
            if values[..index].contains(value) {
                return Err(format!("{} twice", got(value)));
            }
        }
        Ok(())
    }
}

fn within<T: PartialOrd>(value: &T, min: Option<T>, max: Option<T>) -> bool {
    min.is_none_or(|min| *value >= min) && max.is_none_or(|max| *value <= max)
}

fn contains(items: &[ChoiceItem], value: &str) -> bool {
    items.iter().any(|item| item.value == value)
}

/// A whole number that fits `i64`, also when it was written as `30.0`.
fn whole(value: &Value) -> Option<i64> {
    const END: f64 = 9_223_372_036_854_775_808.0; // 2^63
    if let Some(number) = value.as_i64() {
        return Some(number);
    }
    let number = value.as_f64().filter(|_| value.is_f64())?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whole and in range, as the line before says"
    )]
    let cast = |number: f64| number as i64;
    (number.fract() == 0.0 && (-END..END).contains(&number)).then(|| cast(number))
}

fn bounds<T: Display + PartialEq>(min: Option<T>, max: Option<T>, unit: &str) -> String {
    match (min, max) {
        (None, None) => String::new(),
        (Some(min), None) => format!(" ({min} or more{unit})"),
        (None, Some(max)) => format!(" (at most {max}{unit})"),
        (Some(min), Some(max)) if min == max => format!(" (exactly {min}{unit})"),
        (Some(min), Some(max)) => format!(" ({min} to {max}{unit})"),
    }
}

fn listed(items: &[ChoiceItem]) -> String {
    let mut shown: Vec<_> = items
        .iter()
        .take(SHOWN_ITEMS)
        .map(|item| quoted(&item.value))
        .collect();
    if items.len() > SHOWN_ITEMS {
        shown.push(format!("{} more", items.len() - SHOWN_ITEMS));
    }
    shown.join(", ")
}

/// A value for a fault text: short whatever the client sent.
fn got(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::String(value) => quoted(value),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}
