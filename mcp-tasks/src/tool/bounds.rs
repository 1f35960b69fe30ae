//! Enforces the bounds of `#[arg(min, max, min_len, ..)]` on an argument's JSON text.

use super::capped::capped;
use super::scan::{count_items, unquoted};
use super::spec::{Bounds, Number};

impl Bounds {
    /// Whether the value in `json` is within these bounds; `Err` says which one it breaks. A bound
    /// that does not concern the value's JSON type is not looked at, and neither is any bound for
    /// `null`.
    pub(super) fn check(self, json: &str) -> Result<(), String> {
        match json.as_bytes().first() {
            Some(b'"') => check_size(
                "characters",
                (self.min_len, self.max_len),
                unquoted(json).chars().count(),
            ),
            Some(b'[') => {
                let items = count_items(json).unwrap_or_default();
                check_size("items", (self.min_items, self.max_items), items)
            }
            Some(b'-' | b'0'..=b'9') => self.check_number(json),
            _ => Ok(()),
        }
    }

    fn check_number(self, json: &str) -> Result<(), String> {
        if let Some(min) = self.min
            && below(json, min)
        {
            return Err(format!(
                "must be at least {}, got {}",
                shown(min),
                capped(json, 64)
            ));
        }
        if let Some(max) = self.max
            && above(json, max)
        {
            return Err(format!(
                "must be at most {}, got {}",
                shown(max),
                capped(json, 64)
            ));
        }
        Ok(())
    }
}

fn check_size(
    what: &str,
    (min, max): (Option<usize>, Option<usize>),
    size: usize,
) -> Result<(), String> {
    if let Some(min) = min.filter(|min| size < *min) {
        return Err(format!("must have at least {min} {what}, got {size}"));
    }
    if let Some(max) = max.filter(|max| size > *max) {
        return Err(format!("must have at most {max} {what}, got {size}"));
    }
    Ok(())
}

fn below(json: &str, bound: Number) -> bool {
    match (json.parse::<i128>(), bound) {
        (Ok(value), Number::Int(bound)) => value < bound,
        _ => json
            .parse::<f64>()
            .is_ok_and(|value| value < as_float(bound)),
    }
}

fn above(json: &str, bound: Number) -> bool {
    match (json.parse::<i128>(), bound) {
        (Ok(value), Number::Int(bound)) => value > bound,
        _ => json
            .parse::<f64>()
            .is_ok_and(|value| value > as_float(bound)),
    }
}

/// The nearest float, which is how JSON Schema validators compare too.
pub(super) fn as_float(number: Number) -> f64 {
    match number {
        #[allow(clippy::cast_precision_loss, reason = "only compared with floats")]
        Number::Int(int) => int as f64,
        Number::Float(float) => float,
    }
}

fn shown(number: Number) -> String {
    match number {
        Number::Int(int) => int.to_string(),
        Number::Float(float) => float.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(min: Number, max: Number) -> Bounds {
        Bounds {
            min: Some(min),
            max: Some(max),
            ..Bounds::default()
        }
    }

    #[test]
    fn numbers_are_compared_exactly() {
        let bounds = range(Number::Int(1), Number::Int(9_007_199_254_740_993));
        assert!(bounds.check("1").is_ok());
        assert!(bounds.check("9007199254740993").is_ok());
        assert_eq!(bounds.check("0").unwrap_err(), "must be at least 1, got 0");
        assert_eq!(
            bounds.check("9007199254740994").unwrap_err(),
            "must be at most 9007199254740993, got 9007199254740994"
        );
        let floats = range(Number::Float(-0.5), Number::Float(0.5));
        assert!(floats.check("-0.5").is_ok());
        assert_eq!(floats.check("1").unwrap_err(), "must be at most 0.5, got 1");
        assert!(floats.check("-1e2").is_err());
    }

    #[test]
    fn a_number_too_large_for_any_float_is_beyond_every_bound() {
        let bounds = range(Number::Int(0), Number::Float(f64::MAX));
        assert!(bounds.check("1e308").is_ok());
        assert!(
            bounds
                .check("1e400")
                .unwrap_err()
                .starts_with("must be at most 1797")
        );
        assert_eq!(
            bounds.check("-1e400").unwrap_err(),
            "must be at least 0, got -1e400"
        );
    }

    #[test]
    fn a_bound_is_within_itself_however_it_is_spelt() {
        for (text, bound) in [
            ("1e-30", 1e-30),
            ("1.602176634e-19", 1.602_176_634e-19),
            ("99.99999999999999", 99.999_999_999_999_99),
            ("-112.59303022751179", -112.593_030_227_511_79),
            ("3.4028234663852886e38", f64::from(f32::MAX)),
        ] {
            let bounds = range(Number::Float(bound), Number::Float(bound));
            assert_eq!(bounds.check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn lengths_are_in_characters_not_bytes_or_escapes() {
        let bounds = Bounds {
            min_len: Some(2),
            max_len: Some(3),
            ..Bounds::default()
        };
        assert!(bounds.check("\"äöü\"").is_ok());
        assert!(bounds.check(r#""\u00e4\n""#).is_ok());
        assert_eq!(
            bounds.check("\"ä\"").unwrap_err(),
            "must have at least 2 characters, got 1"
        );
        assert_eq!(
            bounds.check("\"abcd\"").unwrap_err(),
            "must have at most 3 characters, got 4"
        );
    }

    #[test]
    fn items_are_counted() {
        let bounds = Bounds {
            min_items: Some(1),
            max_items: Some(2),
            ..Bounds::default()
        };
        assert!(bounds.check("[[1,2,3]]").is_ok());
        assert_eq!(
            bounds.check("[]").unwrap_err(),
            "must have at least 1 items, got 0"
        );
        assert_eq!(
            bounds.check("[1,2,3]").unwrap_err(),
            "must have at most 2 items, got 3"
        );
    }

    #[test]
    fn null_is_within_any_bounds() {
        let bounds = Bounds {
            min_len: Some(2),
            min_items: Some(1),
            ..range(Number::Int(1), Number::Int(2))
        };
        assert!(bounds.check("null").is_ok());
    }
}
