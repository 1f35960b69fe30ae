//! What a field's type looks like, for errors that need no type to be resolved.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::{Expr, ExprLit, ExprUnary, GenericArgument, Lit, PathArguments, Type, UnOp};

use super::attr::Attrs;
use super::faults::Faults;

/// What a type's spelling tells. It only makes errors clearer, since an alias looks like `Other`: which types are
/// fields, and which attributes fit them, is decided by the types themselves.
#[derive(PartialEq)]
pub(super) enum Shape {
    Text,
    Whole,
    Float,
    Bool,
    List,
    Optional(Box<Shape>),
    Other,
}

impl Shape {
    pub(super) fn of(ty: &Type, faults: &mut Faults) -> Self {
        let path = match ty {
            Type::Path(ty) => &ty.path,
            Type::Reference(_) => {
                faults.at(
                    ty,
                    "an answer is owned, so a field cannot borrow: use `String` for `&str`",
                );
                return Self::Other;
            }
            _ => return Self::Other,
        };
        let Some(last) = path.segments.last() else {
            return Self::Other;
        };
        match last.ident.to_string().as_str() {
            "String" => Self::Text,
            "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => {
                Self::Whole
            }
            "f32" | "f64" => Self::Float,
            "bool" => Self::Bool,
            "Vec" => Self::List,
            "Option" => Self::optional(ty, &last.arguments, faults),
            _ => Self::Other,
        }
    }

    fn optional(ty: &Type, arguments: &PathArguments, faults: &mut Faults) -> Self {
        let PathArguments::AngleBracketed(arguments) = arguments else {
            return Self::Other;
        };
        let Some(GenericArgument::Type(inner)) = arguments.args.first() else {
            return Self::Other;
        };
        let shape = Self::of(inner, faults);
        if matches!(shape, Self::Optional(_)) {
            faults.at(ty, "a field is there or not: one `Option` says it");
        }
        Self::Optional(Box::new(shape))
    }

    pub(super) fn check(&self, attrs: &Attrs, faults: &mut Faults) {
        let (value, optional) = match self {
            Self::Optional(value) => (&**value, true),
            value => (value, false),
        };
        for arg in &attrs.args {
            let key = arg.key.to_string();
            if optional && key == "default" {
                faults.at(
                    &arg.key,
                    "a field with a default always has a value: drop the `Option` or the `default`",
                );
            } else if let Some(bounded) = value.excludes(&key) {
                faults.at(
                    &arg.key,
                    format!("`{key}` is for {bounded}; {} has none", value.noun()),
                );
            }
        }
        in_order(attrs, "min", "max", faults);
        in_order(attrs, "min_len", "max_len", faults);
        in_order(attrs, "min_items", "max_items", faults);
    }

    /// What `key` is for, if that is surely something else.
    fn excludes(&self, key: &str) -> Option<&'static str> {
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

    /// A value as it stands, except that `5` is a number for a float too.
    pub(super) fn number(&self, value: &Expr) -> TokenStream {
        match self {
            Self::Float => float(value),
            Self::Optional(inner) if **inner == Self::Float => float(value),
            _ => None,
        }
        .unwrap_or_else(|| quote!(#value))
    }

    fn noun(&self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Whole | Self::Float => "a number",
            Self::Bool => "a `bool`",
            Self::List => "a list",
            Self::Optional(_) | Self::Other => "this field",
        }
    }
}

/// Literal bounds with no value between them, and a literal default outside them. Defaults of strings and lists are
/// no numbers and pass here; what is no literal shows when the form is asked.
fn in_order(attrs: &Attrs, least: &str, greatest: &str, faults: &mut Faults) {
    let fault = format!("`{greatest}` is below `{least}`, so no value would fit");
    not_above(attrs, (least, greatest), greatest, &fault, faults);
    not_above(
        attrs,
        (least, "default"),
        "default",
        &format!("`default` is below `{least}`"),
        faults,
    );
    not_above(
        attrs,
        ("default", greatest),
        "default",
        &format!("`default` is above `{greatest}`"),
        faults,
    );
}

fn not_above(attrs: &Attrs, (low, high): (&str, &str), at: &str, fault: &str, faults: &mut Faults) {
    let number = |key| attrs.value(key).and_then(literal);
    if let (Some(a), Some(b)) = (number(low), number(high))
        && a > b
    {
        faults.at(attrs.value(at), fault);
    }
}

fn literal(value: &Expr) -> Option<f64> {
    match value {
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            expr,
            ..
        }) => literal(expr).map(|number| -number),
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

fn float(value: &Expr) -> Option<TokenStream> {
    match value {
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(minus),
            expr,
            ..
        }) => {
            let number = float(expr)?;
            Some(quote!(#minus #number))
        }
        Expr::Lit(ExprLit {
            lit: Lit::Int(int), ..
        }) if int.suffix().is_empty() => {
            let mut number = Literal::f64_unsuffixed(int.base10_parse().ok()?);
            number.set_span(int.span());
            Some(quote!(#number))
        }
        _ => None,
    }
}
