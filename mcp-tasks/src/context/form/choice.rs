//! Unit enums as choices, and lists of them.

use serde_json::Value;

use super::FormField;
use crate::model::form::{Choice, ChoiceItem, Choices, Field};

/// A unit enum that derives `ElicitForm`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be in a list of a form",
    label = "a list of `{Self}` is nothing a client can show",
    note = "the only list in a form is one of choices: a `Vec` of a unit enum with `#[derive(ElicitForm)]`"
)]
pub trait FormChoice: Sized + Send + 'static {
    /// Value and title of each variant.
    const ITEMS: &'static [(&'static str, Option<&'static str>)];
    const TITLE: Option<&'static str>;
    const DESCRIPTION: Option<&'static str>;

    /// The variant whose place in `ITEMS` this is.
    fn at(index: usize) -> Option<Self>;
    fn index(&self) -> usize;
}

fn items<E: FormChoice>() -> impl Iterator<Item = ChoiceItem> {
    E::ITEMS.iter().map(|(value, title)| match title {
        Some(title) => ChoiceItem::from((*value, *title)),
        None => ChoiceItem::from(*value),
    })
}

fn from_value<E: FormChoice>(value: &Value) -> Option<E> {
    let value = value.as_str()?;
    E::at(
        E::ITEMS
            .iter()
            .position(|(candidate, _)| *candidate == value)?,
    )
}

fn about<E: FormChoice, K>(mut field: Field<K>) -> Field<K> {
    field.title = E::TITLE.map(str::to_owned);
    field.description = E::DESCRIPTION.map(str::to_owned);
    field
}

/// What the derive of an enum implements [`FormField`] with. A blanket impl would save it the lines, but then each
/// error about another type would speak of `FormChoice`.
#[doc(hidden)]
pub fn blank<E: FormChoice>(name: &str) -> Field<Choice> {
    about::<E, _>(Field::choice(name, items::<E>()))
}

#[doc(hidden)]
#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape of `FormField::into_default`"
)]
pub fn into_default<E: FormChoice>(choice: E, field: Field<Choice>) -> Field<Choice> {
    field.default(E::ITEMS[choice.index()].0)
}

#[doc(hidden)]
#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape of `FormField::take`"
)]
pub fn take<E: FormChoice>(value: Value) -> Option<E> {
    from_value(&value)
}

impl<E: FormChoice> FormField for Vec<E> {
    type Kind = Choices;

    fn blank(name: &str) -> Field<Choices> {
        about::<E, _>(Field::choices(name, items::<E>()))
    }

    fn into_default(self, field: Field<Choices>) -> Field<Choices> {
        field.default(self.iter().map(|choice| E::ITEMS[choice.index()].0))
    }

    fn take(value: Value) -> Option<Self> {
        value.as_array()?.iter().map(from_value).collect()
    }
}
