//! `#[form(key, key = value, ..)]` and doc comments.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, Token};

use super::faults::{Faults, listed, nearest};

/// Each key that is valid anywhere.
const KEYS: &[&str] = &[
    "title",
    "description",
    "rename",
    "default",
    "min",
    "max",
    "min_len",
    "max_len",
    "format",
    "min_items",
    "max_items",
    "crate",
];

/// Where an attribute stands, and what it may say there.
pub(super) struct Place {
    pub(super) noun: &'static str,
    pub(super) keys: &'static [&'static str],
}

/// One `key = value`. Only `default` goes without a value.
pub(super) struct Arg {
    pub(super) key: Ident,
    pub(super) value: Option<Expr>,
}

impl Parse for Arg {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.call(Ident::parse_any)?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        Ok(Self { key, value })
    }
}

/// The attributes of one item that the derive reads.
pub(super) struct Attrs {
    pub(super) args: Vec<Arg>,
    pub(super) doc: Option<String>,
}

impl Attrs {
    /// Reads them; what has no meaning at this place is reported and left out.
    pub(super) fn read(attrs: &[Attribute], place: &Place, faults: &mut Faults) -> Self {
        let mut args: Vec<Arg> = Vec::new();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("form")) {
            match attr.parse_args_with(Punctuated::<Arg, Token![,]>::parse_terminated) {
                Ok(found) => {
                    for arg in found {
                        match accept(&arg, &args, place) {
                            Ok(()) => args.push(arg),
                            Err(message) => faults.at(&arg.key, message),
                        }
                    }
                }
                Err(error) => faults.add(error),
            }
        }
        Self {
            args,
            doc: doc(attrs),
        }
    }

    pub(super) fn arg(&self, key: &str) -> Option<&Arg> {
        self.args.iter().find(|arg| arg.key == key)
    }

    pub(super) fn value(&self, key: &str) -> Option<&Expr> {
        self.arg(key)?.value.as_ref()
    }

    /// The string literal of `key`; anything else is reported.
    pub(super) fn literal(&self, key: &str, faults: &mut Faults) -> Option<&LitStr> {
        let value = self.value(key)?;
        if let Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) = value
        {
            return Some(text);
        }
        faults.at(value, format!("`{key}` needs a string literal"));
        None
    }

    /// The name on the wire: `rename`, or the identifier without `r#`.
    pub(super) fn name(&self, ident: &Ident, faults: &mut Faults) -> LitStr {
        match self.literal("rename", faults) {
            Some(name) => {
                if name.value().is_empty() {
                    faults.at(name, "a name cannot be empty");
                }
                name.clone()
            }
            None => LitStr::new(&ident.unraw().to_string(), ident.span()),
        }
    }
}

fn accept(arg: &Arg, before: &[Arg], place: &Place) -> Result<(), String> {
    let key = arg.key.to_string();
    let valid = || format!("{} takes {}", place.noun, listed(place.keys));
    if !place.keys.contains(&key.as_str()) {
        if KEYS.contains(&key.as_str()) {
            return Err(format!(
                "`{key}` is not valid on {}; {}",
                place.noun,
                valid()
            ));
        }
        let hint = match nearest(&key, place.keys) {
            Some(near) => format!("did you mean `{near}`?"),
            None => valid(),
        };
        return Err(format!("unknown key `{key}`; {hint}"));
    }
    if before.iter().any(|other| other.key == key) {
        return Err(format!("`{key}` is given twice"));
    }
    if arg.value.is_none() && key != "default" {
        return Err(format!("`{key}` needs a value: `{key} = ..`"));
    }
    Ok(())
}

/// The doc comment, without the blank that starts each line.
fn doc(attrs: &[Attribute]) -> Option<String> {
    let mut lines = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        if let Meta::NameValue(meta) = &attr.meta
            && let Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) = &meta.value
        {
            lines.push(text.value().trim().to_owned());
        }
    }
    let text = lines.join("\n").trim().to_owned();
    (!text.is_empty()).then_some(text)
}
