//! What only schemas of more than plain values need, behind one table.
//!
//! Whatever has such a schema brings the table along, and nothing else names what is in it: the linker keeps it from programs
//! whose tools take and give texts and numbers alone.

use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::tool::schema::{self, Object, Side};

/// The table.
#[derive(Debug)]
pub(crate) struct Shaping {
    /// Brings the schema of one parameter into the plain form.
    pub(super) parameter: fn(&mut Object, bool),
    /// Adds the definitions to a root.
    pub(super) complete: fn(Object, &mut SchemaGenerator, Side) -> Object,
    /// Makes the output schema of what a result's type says.
    pub(super) output: fn(Schema, &mut SchemaGenerator) -> Result<Object, String>,
    #[cfg(not(feature = "validate"))]
    pub(in crate::tool) unchecked: super::Warn,
}

pub(crate) static SHAPING: Shaping = Shaping {
    parameter: schema::tidy_parameter,
    complete: |root, generator, side| {
        schema::with_definitions(root, generator.take_definitions(true), side)
    },
    output: super::output_root,
    #[cfg(not(feature = "validate"))]
    unchecked: super::unchecked,
};

/// How the schema of a type is made.
#[derive(Clone, Copy)]
pub(in crate::tool) struct Source {
    pub(super) make: fn(&mut SchemaGenerator) -> Schema,
    pub(super) shaping: Option<&'static Shaping>,
}

impl Source {
    pub(in crate::tool) fn of<T: JsonSchema + 'static>() -> Self {
        Self {
            make: schema::of::<T>,
            shaping: (!schema::is_plain_value::<T>()).then_some(&SHAPING),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shaped<T: JsonSchema + 'static>() {
        let source = Source::of::<T>();
        assert!(source.shaping.is_none(), "{}", T::schema_name());
        let made = || schema::object((source.make)(&mut schema::inputs()));
        let [mut plain, mut shaped] = [made(), made()];
        schema::drop_rust_format(&mut plain);
        (SHAPING.parameter)(&mut shaped, true);
        assert_eq!(plain, shaped, "{}", T::schema_name());
        let mut generator = schema::inputs();
        (source.make)(&mut generator);
        let complete = (SHAPING.complete)(plain.clone(), &mut generator, Side::Input);
        assert_eq!(plain, complete, "{}", T::schema_name());
    }

    #[test]
    fn shaping_changes_nothing_about_a_plain_value() {
        shaped::<bool>();
        shaped::<char>();
        shaped::<String>();
        shaped::<f32>();
        shaped::<f64>();
        shaped::<i8>();
        shaped::<i16>();
        shaped::<i32>();
        shaped::<i64>();
        shaped::<i128>();
        shaped::<isize>();
        shaped::<u8>();
        shaped::<u16>();
        shaped::<u32>();
        shaped::<u64>();
        shaped::<u128>();
        shaped::<usize>();
    }

    #[test]
    fn whatever_may_hold_more_than_a_plain_value_is_shaped() {
        assert!(Source::of::<Option<String>>().shaping.is_some());
        assert!(Source::of::<Vec<u8>>().shaping.is_some());
        assert!(Source::of::<Box<str>>().shaping.is_some());
        assert!(Source::of::<serde_json::Value>().shaping.is_some());
    }
}
