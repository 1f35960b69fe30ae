//! What a type's spelling tells. It only makes errors clearer, since an alias looks like `Other`: what a
//! value may be, and which bounds hold for it, is decided by the types themselves.

use syn::{Expr, ExprLit, ExprUnary, GenericArgument, Lit, PathArguments, Type, UnOp};

use crate::errors::Errors;
use crate::options::Opt;

/// The kind of value that a type holds, an `Option` apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Kind {
    Text,
    Whole,
    Float,
    Bool,
    List,
    Other,
}

impl Kind {
    pub(crate) fn of(ty: &Type) -> Self {
        if let Some(inner) = optional(ty) {
            return Self::of(inner);
        }
        let Type::Path(path) = ty else {
            return Self::Other;
        };
        let name = path.path.segments.last().map(|last| last.ident.to_string());
        match name.as_deref().unwrap_or_default() {
            "String" => Self::Text,
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64"
            | "i128" | "isize" => Self::Whole,
            "f32" | "f64" => Self::Float,
            "bool" => Self::Bool,
            "Vec" => Self::List,
            _ => Self::Other,
        }
    }

    /// Notes bounds that are surely for another kind, bounds with no value between them, and a default
    /// outside of them.
    pub(crate) fn check_bounds(self, options: &[Opt], errors: &mut Errors) {
        for option in options {
            let key = &option.key;
            if let Some(bounded) = self.excludes(&option.name()) {
                let noun = self.noun();
                errors.at(
                    key,
                    format_args!("`{key}` is for {bounded}; {noun} has none"),
                );
            }
        }
        for (least, greatest) in [
            ("min", "max"),
            ("min_len", "max_len"),
            ("min_items", "max_items"),
        ] {
            let fault = format!("`{greatest}` is below `{least}`, so no value would fit");
            check_order(options, (least, greatest), greatest, &fault, errors);
        }
        for (pair, fault) in [
            (("min", "default"), "`default` is below `min`"),
            (("default", "max"), "`default` is above `max`"),
        ] {
            check_order(options, pair, "default", fault, errors);
        }
    }

    /// What `key` is for, if that is surely something else.
    fn excludes(self, key: &str) -> Option<&'static str> {
        match (key, self) {
            (_, Self::Other)
            | ("min" | "max", Self::Whole | Self::Float)
            | ("min_len" | "max_len" | "format", Self::Text)
            | ("min_items" | "max_items", Self::List) => None,
            ("min" | "max", _) => Some("numbers"),
            ("min_len" | "max_len" | "format", _) => Some("strings"),
            ("min_items" | "max_items", _) => Some("lists"),
            _ => None,
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Whole | Self::Float => "a number",
            Self::Bool => "a `bool`",
            Self::List => "a list",
            Self::Other => "this",
        }
    }
}

/// The `T` of an `Option<T>`.
pub(crate) fn optional(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) if last.ident == "Option" => {
            match arguments.args.first() {
                Some(GenericArgument::Type(inner)) => Some(inner),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Notes `fault` at the value of `at`, where the literals of `low` and `high` are the wrong way round.
fn check_order(
    options: &[Opt],
    (low, high): (&str, &str),
    at: &str,
    fault: &str,
    errors: &mut Errors,
) {
    let value = |key| {
        let option = options.iter().find(|option| option.key == key)?;
        option.value()
    };
    let number = |key| value(key).and_then(number);
    if let (Some(a), Some(b)) = (number(low), number(high))
        && a > b
    {
        errors.at(value(at), fault);
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
        Expr::Lit(ExprLit {
            lit: Lit::Int(int), ..
        }) => int.base10_parse().ok(),
        Expr::Lit(ExprLit {
            lit: Lit::Float(float),
            ..
        }) => float.base10_parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::Kind;

    #[test]
    fn a_spelling_tells_the_kind() {
        assert_eq!(Kind::of(&parse_quote!(String)), Kind::Text);
        assert_eq!(Kind::of(&parse_quote!(std::string::String)), Kind::Text);
        assert_eq!(Kind::of(&parse_quote!(Option<u8>)), Kind::Whole);
        assert_eq!(Kind::of(&parse_quote!(Vec<String>)), Kind::List);
    }

    #[test]
    fn an_unknown_spelling_tells_nothing() {
        assert_eq!(Kind::of(&parse_quote!(Name)), Kind::Other);
        assert_eq!(Kind::of(&parse_quote!([u8; 2])), Kind::Other);
        assert_eq!(
            Kind::of(&parse_quote!(<T as Associated>::Type)),
            Kind::Other
        );
    }
}
