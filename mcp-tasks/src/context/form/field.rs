//! Which types a field can have.

use serde_json::Value;

use super::{FormPass, Shape};
use crate::model::form::{Boolean, Field, Integer, Kind, Number, Text};

/// A type that a field can have.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a form",
    label = "clients show flat forms only",
    note = "a field is a `String`, a number, a `bool`, a unit enum with `#[derive(ElicitForm)]`, a `Vec` of such an \
            enum, or an `Option` of one of these"
)]
pub trait FormField: Sized {
    type Kind: Into<Kind>;

    /// The field as the type alone describes it.
    fn blank(name: &str) -> Field<Self::Kind>;

    /// Narrows what the attributes say to what the type can hold.
    fn fit(field: Field<Self::Kind>) -> Field<Self::Kind> {
        field
    }

    fn into_default(self, field: Field<Self::Kind>) -> Field<Self::Kind>;

    /// Reads a value that the form has checked; `Null` stands for none.
    fn take(value: Value) -> Option<Self>;

    /// What the pass does with one field.
    fn visit(
        pass: &mut FormPass,
        name: &str,
        default: Option<Self>,
        shape: Shape<Self>,
    ) -> Option<Self> {
        let Some(content) = &mut pass.content else {
            FormPass::describe(&mut pass.form, name, default, shape);
            return None;
        };
        let read = FormPass::read(content, name, default);
        if read.is_none() {
            pass.faults.push(format!("`{name}` does not fit its field"));
        }
        read
    }
}

impl FormField for String {
    type Kind = Text;

    fn blank(name: &str) -> Field<Text> {
        Field::text(name)
    }

    fn into_default(self, field: Field<Text>) -> Field<Text> {
        field.default(self)
    }

    fn take(value: Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

impl FormField for bool {
    type Kind = Boolean;

    fn blank(name: &str) -> Field<Boolean> {
        Field::boolean(name)
    }

    fn into_default(self, field: Field<Boolean>) -> Field<Boolean> {
        field.default(self)
    }

    fn take(value: Value) -> Option<Self> {
        value.as_bool()
    }
}

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl FormField for $int {
            type Kind = Integer;

            fn blank(name: &str) -> Field<Integer> {
                Field::integer(name)
            }

            fn fit(field: Field<Integer>) -> Field<Integer> {
                // A bound that `i64` has as well goes without saying.
                let least = i64::try_from(<$int>::MIN).ok().filter(|least| *least > i64::MIN);
                let greatest = i64::try_from(<$int>::MAX).ok().filter(|greatest| *greatest < i64::MAX);
                narrow(field, least, greatest)
            }

            fn into_default(self, field: Field<Integer>) -> Field<Integer> {
                field.default(i64::try_from(self).unwrap_or(i64::MAX))
            }

            fn take(value: Value) -> Option<Self> {
                value.as_i64().and_then(|number| number.try_into().ok())
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

fn narrow(mut field: Field<Integer>, least: Option<i64>, greatest: Option<i64>) -> Field<Integer> {
    let kind = &mut field.kind;
    kind.min = kind.min.max(least);
    kind.max = match (kind.max, greatest) {
        (Some(max), Some(greatest)) => Some(max.min(greatest)),
        (max, greatest) => max.or(greatest),
    };
    field
}

impl FormField for f64 {
    type Kind = Number;

    fn blank(name: &str) -> Field<Number> {
        Field::number(name)
    }

    fn into_default(self, field: Field<Number>) -> Field<Number> {
        field.default(self)
    }

    fn take(value: Value) -> Option<Self> {
        value.as_f64()
    }
}

impl FormField for f32 {
    type Kind = Number;

    fn blank(name: &str) -> Field<Number> {
        Field::number(name)
    }

    fn into_default(self, field: Field<Number>) -> Field<Number> {
        // By way of its decimal digits: `f64::from(0.1_f32)` would show the user 0.10000000149011612.
        field.default(self.to_string().parse().unwrap_or(f64::from(self)))
    }

    fn take(value: Value) -> Option<Self> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "nearest is what a float is; too great is refused"
        )]
        value
            .as_f64()
            .map(|number| number as f32)
            .filter(|number| number.is_finite())
    }
}

impl<T: FormField> FormField for Option<T> {
    type Kind = T::Kind;

    fn blank(name: &str) -> Field<T::Kind> {
        T::blank(name).optional()
    }

    fn fit(field: Field<T::Kind>) -> Field<T::Kind> {
        T::fit(field)
    }

    fn into_default(self, field: Field<T::Kind>) -> Field<T::Kind> {
        match self {
            Some(default) => default.into_default(field),
            None => field,
        }
    }

    fn take(value: Value) -> Option<Self> {
        if value.is_null() {
            Some(None)
        } else {
            T::take(value).map(Some)
        }
    }
}
