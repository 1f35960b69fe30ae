//! Bounds, defaults and examples that contradict each other or their type, as far as literals tell. What they do not
//! tell is found when a server is made.

use syn::{Expr, ExprLit, ExprUnary, Lit, Type, UnOp};

use crate::errors::Errors;
use crate::kind::{self, Kind};
use crate::options::Opt;

/// A lower and an upper bound.
struct Pair {
    least: &'static str,
    greatest: &'static str,
    /// What of a literal they bound.
    measure: fn(&Expr) -> Option<f64>,
    /// What is too little, and what too much.
    words: [&'static str; 2],
}

const PAIRS: [Pair; 3] = [
    Pair {
        least: "min",
        greatest: "max",
        measure: number,
        words: ["is below", "is above"],
    },
    Pair {
        least: "min_len",
        greatest: "max_len",
        measure: characters,
        words: ["is shorter than", "is longer than"],
    },
    Pair {
        least: "min_items",
        greatest: "max_items",
        measure: items,
        words: ["has fewer items than", "has more items than"],
    },
];

/// Notes bounds that are surely for another kind of value, bounds with no value between them, and a default or an
/// example outside of them.
pub(crate) fn check(kind: Kind, options: &[Opt], errors: &mut Errors) {
    for option in options {
        let key = &option.key;
        if let Some(bounded) = kind.excludes(&option.name()) {
            let noun = kind.noun();
            errors.at(
                key,
                format_args!("`{key}` is for {bounded}; {noun} has none"),
            );
        }
    }
    let value = |key: &str| {
        let option = options.iter().find(|option| option.key == key)?;
        option.value()
    };
    for pair in PAIRS {
        let Pair {
            least, greatest, ..
        } = pair;
        let [too_little, too_much] = pair.words;
        let (low, high) = (
            value(least).and_then(number),
            value(greatest).and_then(number),
        );
        if let (Some(low), Some(high)) = (low, high)
            && low > high
        {
            let fault = format!("`{greatest}` is below `{least}`, so no value would fit");
            errors.at(value(greatest), fault);
            continue;
        }
        for key in ["default", "example"] {
            let given = value(key);
            let Some(measured) = given.and_then(pair.measure) else {
                continue;
            };
            if low.is_some_and(|low| measured < low) {
                errors.at(given, format_args!("`{key}` {too_little} `{least}`"));
            } else if high.is_some_and(|high| measured > high) {
                errors.at(given, format_args!("`{key}` {too_much} `{greatest}`"));
            }
        }
    }
}

/// Notes numbers that are none of the type's, where its name tells its width.
pub(crate) fn check_width(ty: &Type, options: &[Opt], errors: &mut Errors) {
    let ty = kind::optional(ty).unwrap_or(ty);
    let Some(name) = kind::name(ty) else {
        return;
    };
    let Some((least, greatest)) = range(&name) else {
        return;
    };
    for option in options {
        let Some(value) = option.value().and_then(number) else {
            continue;
        };
        let (low, high) = (value < least, value > greatest);
        let key = option.name();
        let fault = match key.as_str() {
            "default" | "example" if low || high => {
                format!("`{key}` is none of `{name}`, which goes from {least} to {greatest}")
            }
            "min" if high => format!("`{name}` ends at {greatest}, so no value would fit"),
            "max" if low => format!("`{name}` begins at {least}, so no value would fit"),
            _ => continue,
        };
        errors.at(option.value(), fault);
    }
}

/// The least and the greatest value of an integer type whose width is its name, up to those that a float has exactly.
fn range(name: &str) -> Option<(f64, f64)> {
    let unsigned = name.starts_with('u');
    let bits: i32 = name.strip_prefix(['u', 'i'])?.parse().ok()?;
    (bits <= 32).then(|| {
        if unsigned {
            (0.0, 2_f64.powi(bits) - 1.0)
        } else {
            (-2_f64.powi(bits - 1), 2_f64.powi(bits - 1) - 1.0)
        }
    })
}

/// Notes an example that is surely of another kind.
pub(crate) fn check_example(kind: Kind, options: &[Opt], errors: &mut Errors) {
    let Some(value) = options
        .iter()
        .find(|option| option.key == "example")
        .and_then(Opt::value)
    else {
        return;
    };
    let of_kind = match kind {
        Kind::Text => matches!(literal(value), Some(Lit::Str(_))),
        Kind::Bool => matches!(literal(value), Some(Lit::Bool(_))),
        Kind::Whole => matches!(unsigned(value), Some(Lit::Int(_))),
        Kind::Float => matches!(unsigned(value), Some(Lit::Int(_) | Lit::Float(_))),
        Kind::List => matches!(value, Expr::Array(_)),
        Kind::Other => true,
    };
    // What is no literal at all is told of elsewhere.
    if !of_kind && (unsigned(value).is_some() || matches!(value, Expr::Array(_))) {
        let wanted = match kind {
            Kind::Text => "a text: `example = \"..\"`",
            Kind::Bool => "`true` or `false`",
            Kind::Whole => "a whole number: `example = 5`",
            Kind::Float => "a number: `example = 0.5`",
            Kind::List | Kind::Other => "an array: `example = [..]`",
        };
        errors.at(
            value,
            format_args!("an example of this argument is {wanted}"),
        );
    }
}

fn literal(value: &Expr) -> Option<&Lit> {
    match value {
        Expr::Lit(ExprLit { lit, .. }) => Some(lit),
        _ => None,
    }
}

/// A literal, whatever its sign.
fn unsigned(value: &Expr) -> Option<&Lit> {
    match value {
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            expr,
            ..
        }) => unsigned(expr),
        value => literal(value),
    }
}

/// The value of a number literal, with or without a sign.
fn number(value: &Expr) -> Option<f64> {
    match value {
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            expr,
            ..
        }) => number(expr).map(|number| -number),
        _ => match literal(value)? {
            Lit::Int(int) => int.base10_parse().ok(),
            Lit::Float(float) => float.base10_parse().ok(),
            _ => None,
        },
    }
}

fn characters(value: &Expr) -> Option<f64> {
    match literal(value)? {
        Lit::Str(text) => count(text.value().chars().count()),
        _ => None,
    }
}

fn items(value: &Expr) -> Option<f64> {
    match value {
        Expr::Array(array) => count(array.elems.len()),
        _ => None,
    }
}

fn count(size: usize) -> Option<f64> {
    u32::try_from(size).ok().map(f64::from)
}
