//! The keys of `#[form(..)]` that only some kinds of field have. They are traits, and not the builder's methods, for
//! the sake of what the compiler says about a field of another kind.

use crate::model::form::{Boolean, Choice, Choices, Field, Format, Integer, Number, Text};

/// What a bound of a field is. Fields without bounds have one too, so that a bound on them is one error and not two.
#[doc(hidden)]
pub trait Scaled {
    type Bound;
}

macro_rules! scaled {
    ($($kind:ident by $bound:ident),*) => {$(
        impl Scaled for Field<$kind> {
            type Bound = $bound;
        }
    )*};
}

scaled!(Text by i64, Integer by i64, Number by f64, Boolean by i64, Choice by i64, Choices by i64);

#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`min` and `max` are for numbers",
    label = "this field is not a number",
    note = "strings have `min_len` and `max_len`, lists `min_items` and `max_items`"
)]
pub trait Ranged: Scaled {
    fn min(self, bound: Self::Bound) -> Self;
    fn max(self, bound: Self::Bound) -> Self;
}

impl Ranged for Field<Integer> {
    fn min(self, bound: i64) -> Self {
        self.min(bound)
    }

    fn max(self, bound: i64) -> Self {
        self.max(bound)
    }
}

impl Ranged for Field<Number> {
    fn min(self, bound: f64) -> Self {
        self.min(bound)
    }

    fn max(self, bound: f64) -> Self {
        self.max(bound)
    }
}

#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`min_len`, `max_len` and `format` are for strings",
    label = "this field is not a string",
    note = "numbers have `min` and `max`, lists `min_items` and `max_items`"
)]
pub trait Textual {
    fn min_len(self, chars: usize) -> Self;
    fn max_len(self, chars: usize) -> Self;
    fn format(self, format: Format) -> Self;
}

impl Textual for Field<Text> {
    fn min_len(self, chars: usize) -> Self {
        self.min_len(chars)
    }

    fn max_len(self, chars: usize) -> Self {
        self.max_len(chars)
    }

    fn format(self, format: Format) -> Self {
        self.format(format)
    }
}

#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`min_items` and `max_items` are for lists",
    label = "this field is not a list",
    note = "numbers have `min` and `max`, strings `min_len` and `max_len`"
)]
pub trait Counted {
    fn min_items(self, items: usize) -> Self;
    fn max_items(self, items: usize) -> Self;
}

impl Counted for Field<Choices> {
    fn min_items(self, items: usize) -> Self {
        self.min_items(items)
    }

    fn max_items(self, items: usize) -> Self {
        self.max_items(items)
    }
}
