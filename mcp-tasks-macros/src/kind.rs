//! What a type's spelling tells. It only makes errors clearer, since an alias looks like `Other`: what a
//! value may be, and which bounds hold for it, is decided by the types themselves.

use syn::{GenericArgument, PathArguments, Type};

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
        match name(ty).unwrap_or_default().as_str() {
            "String" => Self::Text,
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64"
            | "i128" | "isize" => Self::Whole,
            "f32" | "f64" => Self::Float,
            "bool" => Self::Bool,
            "Vec" => Self::List,
            _ => Self::Other,
        }
    }

    /// What `key` is for, if that is surely something else.
    pub(crate) fn excludes(self, key: &str) -> Option<&'static str> {
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

    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Whole | Self::Float => "a number",
            Self::Bool => "a `bool`",
            Self::List => "a list",
            Self::Other => "this",
        }
    }
}

/// The last name in a type's path.
pub(crate) fn name(ty: &Type) -> Option<String> {
    match plain(ty) {
        Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}

/// `ty` without parentheses, and without the invisible groups that `macro_rules!` puts around what it passes on.
pub(crate) fn plain(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => plain(&group.elem),
        Type::Paren(paren) => plain(&paren.elem),
        ty => ty,
    }
}

/// The `T` of an `Option<T>`.
pub(crate) fn optional(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = plain(ty) else {
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
