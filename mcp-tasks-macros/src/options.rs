//! The grammar of every attribute: `key`, `key = value` and `key(..)`, separated by commas.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitInt, LitStr, Meta, Token, parenthesized};

use crate::errors::{Errors, suggest};

/// One option as the user wrote it.
pub(crate) struct Opt {
    pub(crate) key: Ident,
    value: Value,
}

enum Value {
    None,
    Is(Expr),
    List(TokenStream),
}

/// Every well-formed option of all attributes called `name` among `attrs`.
pub(crate) fn of(attrs: &[Attribute], name: &str, errors: &mut Errors) -> Vec<Opt> {
    let mut tokens = TokenStream::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        match &attr.meta {
            Meta::Path(_) => {}
            Meta::List(list) => {
                let list = &list.tokens;
                let text = list.to_string();
                let comma = (!text.is_empty() && !text.ends_with(',')).then(|| quote!(,));
                tokens.extend(quote!(#list #comma));
            }
            Meta::NameValue(_) => errors.at(
                attr,
                format_args!(
                    "`#[{name}]` takes its options in parentheses: `#[{name}(default = 5)]`"
                ),
            ),
        }
    }
    parse(tokens, errors)
}

/// Every well-formed option of an attribute; a malformed one and a second one with the same key
/// are noted and left out.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Vec<Opt> {
    let mut options: Vec<Opt> = Vec::new();
    let parsed = (|input: ParseStream<'_>| {
        while !input.is_empty() {
            match option(input) {
                Ok(option) if options.iter().any(|other| other.key == option.key) => {
                    errors.at(
                        &option.key,
                        format_args!("`{}` stands here twice; keep one", option.key),
                    );
                }
                Ok(option) => options.push(option),
                Err(error) => {
                    errors.push(error);
                    skip_to_comma(input)?;
                }
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(())
    })
    .parse2(tokens);
    errors.ok(parsed);
    options
}

fn option(input: ParseStream<'_>) -> syn::Result<Opt> {
    let key = input.call(Ident::parse_any).map_err(|error| {
        syn::Error::new(
            error.span(),
            "an option starts with its name, as in `name = \"..\"`",
        )
    })?;
    let value = if input.peek(syn::token::Paren) {
        let list;
        parenthesized!(list in input);
        Value::List(list.parse()?)
    } else if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        if input.is_empty() || input.peek(Token![,]) {
            return Err(syn::Error::new_spanned(
                &key,
                format_args!("`{key} =` lacks its value"),
            ));
        }
        Value::Is(plain(input.parse()?))
    } else {
        Value::None
    };
    if input.is_empty() || input.peek(Token![,]) {
        Ok(Opt { key, value })
    } else {
        Err(input.error("options are separated by commas"))
    }
}

/// Goes on behind a fault, so that later options are still read.
pub(crate) fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}

/// `expr` without the invisible groups that `macro_rules!` puts around what it passes on.
pub(crate) fn plain(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => plain(*group.expr),
        expr => expr,
    }
}

impl Opt {
    /// The key as text; `crate` and the like included.
    pub(crate) fn name(&self) -> String {
        self.key.to_string()
    }

    pub(crate) fn unknown(&self, valid: &[&str], errors: &mut Errors) {
        let typed = self.name();
        errors.at(
            &self.key,
            format_args!("unknown option `{typed}`; {}", suggest(&typed, valid)),
        );
    }

    /// What stands after the key, for an error that points at it.
    pub(crate) fn wrong(&self, errors: &mut Errors, message: impl std::fmt::Display) {
        match &self.value {
            Value::Is(value) => errors.at(value, message),
            _ => errors.at(&self.key, message),
        }
    }

    /// Notes a value where there must be none.
    pub(crate) fn bare(&self, errors: &mut Errors) {
        if !matches!(self.value, Value::None) {
            errors.at(
                &self.key,
                format_args!("`{}` takes no value; write it alone", self.key),
            );
        }
    }

    /// `key`, `key = true` or `key = false`.
    pub(crate) fn flag(&self, errors: &mut Errors) -> Option<bool> {
        match &self.value {
            Value::None => Some(true),
            Value::Is(Expr::Lit(ExprLit {
                lit: Lit::Bool(lit),
                ..
            })) => Some(lit.value),
            _ => {
                self.wrong(
                    errors,
                    format_args!("`{0}` is written alone, or as `{0} = false`", self.key),
                );
                None
            }
        }
    }

    /// A value of any kind, `None` for the bare key.
    pub(crate) fn any(&self, errors: &mut Errors) -> Option<&Expr> {
        match &self.value {
            Value::Is(value) => Some(value),
            Value::None => None,
            Value::List(_) => {
                errors.at(
                    &self.key,
                    format_args!("`{0}` takes its value after `=`: `{0} = ..`", self.key),
                );
                None
            }
        }
    }

    /// A value of any kind, where there must be one.
    pub(crate) fn required(&self, errors: &mut Errors) -> Option<&Expr> {
        if self.is_bare() {
            errors.at(
                &self.key,
                format_args!("`{0}` needs a value: `{0} = ..`", self.key),
            );
        }
        self.any(errors)
    }

    /// A string that the macro itself must read.
    pub(crate) fn literal(&self, errors: &mut Errors) -> Option<&LitStr> {
        if let Value::Is(Expr::Lit(ExprLit {
            lit: Lit::Str(lit), ..
        })) = &self.value
        {
            return Some(lit);
        }
        self.wrong(
            errors,
            format_args!("`{0}` needs a string literal: `{0} = \"..\"`", self.key),
        );
        None
    }

    /// An expression of type `&'static str`.
    pub(crate) fn text(&self, errors: &mut Errors) -> Option<&Expr> {
        match &self.value {
            Value::Is(Expr::Lit(ExprLit {
                lit: Lit::Str(lit), ..
            })) if lit.value().trim().is_empty() => {
                self.wrong(
                    errors,
                    format_args!("`{}` is empty; say something or leave it out", self.key),
                );
                None
            }
            Value::Is(value) if !matches!(value, Expr::Lit(ExprLit { lit, .. }) if !matches!(lit, Lit::Str(_))) => {
                Some(value)
            }
            _ => {
                self.wrong(
                    errors,
                    format_args!("`{0}` needs a text: `{0} = \"..\"`", self.key),
                );
                None
            }
        }
    }

    /// The expression after `=`, if there is one.
    pub(crate) fn value(&self) -> Option<&Expr> {
        match &self.value {
            Value::Is(value) => Some(value),
            _ => None,
        }
    }

    /// A path to a constant, for values that a literal cannot say.
    fn constant(&self) -> Option<Amount> {
        match self.value()? {
            Expr::Path(path) => Some(Amount {
                tokens: path.to_token_stream(),
                is_zero: false,
            }),
            _ => None,
        }
    }

    /// A duration: a literal such as `"30s"`, or a path to a const `Duration`.
    pub(crate) fn duration(&self, errors: &mut Errors) -> Option<Amount> {
        if let Some(constant) = self.constant() {
            return Some(constant);
        }
        let millis = match &self.value {
            Value::Is(Expr::Lit(ExprLit {
                lit: Lit::Str(lit), ..
            })) => millis(&lit.value()),
            _ => None,
        };
        if millis.is_none() {
            self.wrong(
                errors,
                format_args!(
                    "`{0}` needs a duration: a whole number and one of the units ms, s, m, h, d, as in \
                     `{0} = \"90s\"`, or a path to a const `Duration`",
                    self.key
                ),
            );
        }
        millis.map(|millis| Amount {
            tokens: quote!(::core::time::Duration::from_millis(#millis)),
            is_zero: millis == 0,
        })
    }

    /// A count: a literal, or a path to a const `usize`.
    pub(crate) fn count(&self, errors: &mut Errors) -> Option<Amount> {
        if let Some(constant) = self.constant() {
            return Some(constant);
        }
        if let Value::Is(Expr::Lit(ExprLit {
            lit: Lit::Int(lit), ..
        })) = &self.value
            && let Ok(value) = lit.base10_parse::<usize>()
        {
            let digits = LitInt::new(lit.base10_digits(), lit.span());
            return Some(Amount {
                tokens: digits.to_token_stream(),
                is_zero: value == 0,
            });
        }
        self.wrong(
            errors,
            format_args!("`{0}` needs a whole number: `{0} = 10`", self.key),
        );
        None
    }

    /// The options inside `key(..)`.
    pub(crate) fn list(&self, form: &str, errors: &mut Errors) -> Vec<Opt> {
        if let Value::List(tokens) = &self.value {
            return parse(tokens.clone(), errors);
        }
        self.wrong(errors, format_args!("`{}` is written `{form}`", self.key));
        Vec::new()
    }

    pub(crate) fn is_bare(&self) -> bool {
        matches!(self.value, Value::None)
    }
}

/// A count or a duration.
pub(crate) struct Amount {
    pub(crate) tokens: TokenStream,
    /// Whether it is surely none; of a constant nothing is known.
    pub(crate) is_zero: bool,
}

fn millis(text: &str) -> Option<u64> {
    let unit = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(unit);
    let factor = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::millis;

    #[test]
    fn a_duration_is_a_whole_number_and_a_unit() {
        assert_eq!(millis("250ms"), Some(250));
        assert_eq!(millis("2s"), Some(2_000));
        assert_eq!(millis("30m"), Some(1_800_000));
        assert_eq!(millis("1h"), Some(3_600_000));
        assert_eq!(millis("7d"), Some(604_800_000));
    }

    #[test]
    fn anything_else_is_no_duration() {
        for text in [
            "",
            "5",
            "s",
            "1.5s",
            "-1s",
            "1 s",
            "1h30m",
            "1w",
            "99999999999999999999d",
        ] {
            assert_eq!(millis(text), None, "{text}");
        }
    }
}
