//! A flat form, as `elicitation/create` can show it.
//!
//! `field` builds fields, `check` compares an answer with them, `format` knows the four string formats and
//! `fault` finds forms that no client could show. How a form looks on the wire is `wire::input`'s subject.

mod check;
mod fault;
mod field;
mod format;
mod kind;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use self::field::Field;
pub use self::format::Format;
pub use self::kind::{Boolean, Choice, ChoiceItem, Choices, Integer, Kind, Number, Text};

/// A flat form: named fields of strings, numbers, booleans and choices, shown in the order given.
///
/// Use it for forms known at run time only; for all others derive `ElicitForm`. Nothing panics while a form is
/// built: a form that no client could show (two fields with one name, a choice among nothing, a default out of
/// bounds) is refused when it is asked, and [`validate`](Self::validate) says so earlier.
///
/// ```
/// use mcp_tasks::form::{Field, Form, Format};
///
/// let form = Form::new()
///     .field(Field::text("email").title("Your address").format(Format::Email))
///     .field(Field::integer("seats").min(1).max(12).default(2))
///     .field(Field::choice("meal", [("veg", "Vegetarian"), ("fish", "Fish")]).optional());
/// assert_eq!(form.validate(), Ok(()));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// Shared, since some are asked again and again, and kept while the user thinks.
    fields: Arc<Vec<Field>>,
}

impl Form {
    /// A form without fields: the user can only agree, decline or dismiss.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field below the others.
    #[must_use]
    pub fn field(mut self, field: impl Into<Field>) -> Self {
        self.add(field.into());
        self
    }

    pub(crate) fn add(&mut self, field: Field) {
        let fields = Arc::make_mut(&mut self.fields);
        if fields.is_empty() {
            // Most have one.
            fields.reserve_exact(1);
        }
        fields.push(field);
    }

    /// The fields, in the order in which to show them.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Whether a client can show this form; `Err` names everything that is wrong with it.
    pub fn validate(&self) -> Result<(), String> {
        fault::find(&self.fields)
    }
}

impl<F: Into<Field>> FromIterator<F> for Form {
    fn from_iter<I: IntoIterator<Item = F>>(fields: I) -> Self {
        let fields = fields.into_iter().map(Into::into);
        Self {
            fields: Arc::new(fields.collect()),
        }
    }
}
