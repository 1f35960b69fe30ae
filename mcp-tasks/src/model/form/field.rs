//! Building one field.

use super::format::Format;
use super::kind::{Boolean, Choice, ChoiceItem, Choices, Integer, Kind, Number, Text};

/// One field of a [`Form`](super::Form). The parameter is the kind of value it takes and decides which bounds it
/// can have; a plain `Field` is a field of any kind.
///
/// A field must be filled in unless it is [`optional`](Self::optional) or has a default.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<K = Kind> {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) optional: bool,
    pub(crate) kind: K,
}

impl Field {
    /// A string.
    pub fn text(name: impl Into<String>) -> Field<Text> {
        Field::of(name, Text::default())
    }

    /// A whole number.
    pub fn integer(name: impl Into<String>) -> Field<Integer> {
        Field::of(name, Integer::default())
    }

    /// A number.
    pub fn number(name: impl Into<String>) -> Field<Number> {
        Field::of(name, Number::default())
    }

    /// Yes or no.
    pub fn boolean(name: impl Into<String>) -> Field<Boolean> {
        Field::of(name, Boolean::default())
    }

    /// One of several values. An item is a value, or a pair of a value and the title the user reads.
    pub fn choice<I>(name: impl Into<String>, items: I) -> Field<Choice>
    where
        I: IntoIterator<Item: Into<ChoiceItem>>,
    {
        let items = items.into_iter().map(Into::into).collect();
        Field::of(
            name,
            Choice {
                items,
                default: None,
                enum_names: false,
            },
        )
    }

    /// Any number of several values, each at most once. Clients before 2025-11-25 cannot show it.
    pub fn choices<I>(name: impl Into<String>, items: I) -> Field<Choices>
    where
        I: IntoIterator<Item: Into<ChoiceItem>>,
    {
        let items = items.into_iter().map(Into::into).collect();
        Field::of(
            name,
            Choices {
                items,
                min_items: None,
                max_items: None,
                default: None,
            },
        )
    }

    /// The key of this field in the answer.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the user reads: the title, or the name where there is none.
    pub fn label(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// What the user reads beside the field, where there is something. (`description` sets it.)
    pub fn explanation(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// What it takes.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Whether the user must fill it in: it is not optional, and has no default.
    pub fn required(&self) -> bool {
        !self.optional && self.kind.default().is_none()
    }
}

impl<K> Field<K> {
    /// The same field, of any kind.
    pub(crate) fn into_any(self) -> Field
    where
        K: Into<Kind>,
    {
        let Self {
            name,
            title,
            description,
            optional,
            kind,
        } = self;
        Field {
            name,
            title,
            description,
            optional,
            kind: kind.into(),
        }
    }

    fn of(name: impl Into<String>, kind: K) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            optional: false,
            kind,
        }
    }

    /// What the user reads instead of the name.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What the user reads beside the field.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Lets the user leave the field out.
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }
}

impl Field<Text> {
    /// The fewest characters (Unicode scalar values).
    pub fn min_len(mut self, chars: usize) -> Self {
        self.kind.min_len = Some(chars);
        self
    }

    /// The most characters (Unicode scalar values).
    pub fn max_len(mut self, chars: usize) -> Self {
        self.kind.max_len = Some(chars);
        self
    }

    /// What the string must look like.
    pub fn format(mut self, format: Format) -> Self {
        self.kind.format = Some(format);
        self
    }

    /// The value shown at first, and taken if the user sends none.
    pub fn default(mut self, value: impl Into<String>) -> Self {
        self.kind.default = Some(value.into());
        self
    }
}

impl Field<Integer> {
    /// The least value.
    pub fn min(mut self, min: i64) -> Self {
        self.kind.min = Some(min);
        self
    }

    /// The greatest value.
    pub fn max(mut self, max: i64) -> Self {
        self.kind.max = Some(max);
        self
    }

    /// The value shown at first, and taken if the user sends none.
    pub fn default(mut self, value: i64) -> Self {
        self.kind.default = Some(value);
        self
    }
}

impl Field<Number> {
    /// The least value.
    pub fn min(mut self, min: impl Into<f64>) -> Self {
        self.kind.min = Some(min.into());
        self
    }

    /// The greatest value.
    pub fn max(mut self, max: impl Into<f64>) -> Self {
        self.kind.max = Some(max.into());
        self
    }

    /// The value shown at first, and taken if the user sends none.
    pub fn default(mut self, value: impl Into<f64>) -> Self {
        self.kind.default = Some(value.into());
        self
    }
}

impl Field<Boolean> {
    /// The value shown at first, and taken if the user sends none.
    pub fn default(mut self, value: bool) -> Self {
        self.kind.default = Some(value);
        self
    }
}

impl Field<Choice> {
    /// The value chosen at first, and taken if the user sends none.
    pub fn default(mut self, value: impl Into<String>) -> Self {
        self.kind.default = Some(value.into());
        self
    }

    /// Sends the titles as `enumNames` to every client. Clients before 2025-11-25 read nothing else and get them
    /// so anyway; newer ones keep it for compatibility only (2025-11-25 schema, `LegacyTitledEnumSchema`).
    pub fn enum_names(mut self) -> Self {
        self.kind.enum_names = true;
        self
    }
}

impl Field<Choices> {
    /// The fewest values.
    pub fn min_items(mut self, items: usize) -> Self {
        self.kind.min_items = Some(items);
        self
    }

    /// The most values.
    pub fn max_items(mut self, items: usize) -> Self {
        self.kind.max_items = Some(items);
        self
    }

    /// The values chosen at first, and taken if the user sends none.
    pub fn default<V: Into<String>>(mut self, values: impl IntoIterator<Item = V>) -> Self {
        self.kind.default = Some(values.into_iter().map(Into::into).collect());
        self
    }
}

/// A field of one kind is a field of any kind. (A blanket impl would overlap with `From<T> for T`.)
macro_rules! into_any {
    ($($kind:ident)*) => {$(
        impl From<$kind> for Kind {
            fn from(kind: $kind) -> Self {
                Self::$kind(kind)
            }
        }

        impl From<Field<$kind>> for Field {
            fn from(field: Field<$kind>) -> Self {
                field.into_any()
            }
        }
    )*};
}

into_any!(Text Integer Number Boolean Choice Choices);
