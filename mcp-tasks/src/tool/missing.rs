//! What a type makes of an argument that is not there.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Expected, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::words::expectation;

/// Holds nothing: an `Option` becomes `None`, everything else says what it wanted instead. The same
/// rule by which `serde` decides whether a field may be missing, only that it sees through
/// newtypes.
#[derive(Clone, Copy)]
pub(super) struct Missing;

/// What a type that cannot do without a value wanted, as in "expected ..".
#[derive(Debug)]
pub(super) struct Wanted(pub(super) String);

/// The value of a missing argument, or what was expected of it.
pub(super) fn missing<T: for<'de> Deserialize<'de>>() -> Result<T, Wanted> {
    T::deserialize(Missing)
}

impl<'de> Deserializer<'de> for Missing {
    type Error = Wanted;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wanted> {
        Err(wanted(&visitor))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wanted> {
        visitor.visit_none()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wanted> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Wanted> {
        // A visitor would name the Rust type.
        Err(Wanted("an object".to_owned()))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Wanted> {
        let names: Vec<_> = variants.iter().map(|name| format!("`{name}`")).collect();
        Err(Wanted(format!("one of {}", names.join(", "))))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

fn wanted(visitor: &dyn Expected) -> Wanted {
    Wanted(expectation(&visitor.to_string()).into_owned())
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wanted {}

impl de::Error for Wanted {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        wanted(expected)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::Value;

    use super::*;

    type Maybe<T> = Option<T>;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Wrapped(Option<u8>);

    #[derive(Debug, Deserialize)]
    struct Point {
        #[serde(rename = "x")]
        _x: Option<u8>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Level {
        Low,
        High,
    }

    #[test]
    fn an_option_may_be_missing_under_any_name() {
        assert_eq!(missing::<Option<String>>().unwrap(), None);
        assert_eq!(missing::<Maybe<Value>>().unwrap(), None);
        assert_eq!(missing::<Box<Option<u8>>>().unwrap(), Box::new(None));
        assert_eq!(missing::<Wrapped>().unwrap(), Wrapped(None));
    }

    #[test]
    fn anything_else_says_what_it_wants() {
        assert_eq!(missing::<u32>().unwrap_err().0, "u32");
        assert_eq!(missing::<String>().unwrap_err().0, "a string");
        assert_eq!(missing::<bool>().unwrap_err().0, "true or false");
        assert_eq!(missing::<Vec<u8>>().unwrap_err().0, "an array");
        assert_eq!(missing::<Point>().unwrap_err().0, "an object");
        assert_eq!(missing::<Level>().unwrap_err().0, "one of `low`, `high`");
        assert!(missing::<()>().is_err());
        assert_eq!(missing::<Value>().unwrap_err().0, "any valid JSON value");
        let _ = (Level::Low, Level::High);
    }
}
