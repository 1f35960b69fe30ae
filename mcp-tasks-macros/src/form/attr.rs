//! What stands in `#[form(..)]`, and where.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::{Attribute, LitStr};

use crate::errors::Errors;
use crate::item;
use crate::options::{self, Opt};

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

/// The attributes of one item that the derive reads.
pub(super) struct Attrs {
    pub(super) options: Vec<Opt>,
    pub(super) doc: Option<TokenStream>,
}

impl Attrs {
    /// Reads them; what has no meaning at this place is reported and left out.
    pub(super) fn read(attrs: &[Attribute], place: &Place, errors: &mut Errors) -> Self {
        for attr in attrs.iter().filter(|attr| is_of_a_tool(attr)) {
            errors.at(
                attr,
                "`#[arg]` goes on a tool's parameter; what derives `ElicitForm` has `#[form(..)]`",
            );
        }
        let mut options = options::of(attrs, "form", errors);
        options.retain(|option| accept(option, place, errors));
        Self {
            options,
            doc: item::docs(attrs),
        }
    }

    pub(super) fn option(&self, key: &str) -> Option<&Opt> {
        self.options.iter().find(|option| option.key == key)
    }

    /// The string literal of `key`; anything else is reported.
    pub(super) fn literal(&self, key: &str, errors: &mut Errors) -> Option<&LitStr> {
        self.option(key)?.literal(errors)
    }

    /// The name on the wire: `rename`, or the identifier without `r#`.
    pub(super) fn name(&self, ident: &Ident, errors: &mut Errors) -> LitStr {
        match self.literal("rename", errors) {
            Some(name) => {
                if name.value().is_empty() {
                    errors.at(name, "a name has one character or more");
                }
                name.clone()
            }
            None => LitStr::new(&ident.unraw().to_string(), ident.span()),
        }
    }
}

/// Whether `attr` is an `#[arg]` of a tool's parameter. Other derives have an attribute of that name, for other options.
fn is_of_a_tool(attr: &Attribute) -> bool {
    if !attr.path().is_ident("arg") {
        return false;
    }
    let options = options::of(std::slice::from_ref(attr), "arg", &mut Errors::default());
    let mut keys = options.iter().map(Opt::name);
    options.is_empty()
        || keys.any(|key| KEYS.contains(&key.as_str()) || MORE_OF_ARG.contains(&key.as_str()))
}

/// What `#[arg]` has besides.
const MORE_OF_ARG: &[&str] = &["example", "header", "inject"];

/// Whether `option` means something at `place`. Only `default` goes without a value.
fn accept(option: &Opt, place: &Place, errors: &mut Errors) -> bool {
    let key = option.name();
    if place.keys.contains(&key.as_str()) {
        return key == "default" || option.required(errors).is_some();
    }
    if KEYS.contains(&key.as_str()) {
        let Place { noun, keys } = place;
        let keys = listed(keys);
        errors.at(
            &option.key,
            format_args!("`{key}` is not valid on {noun}; {noun} takes {keys}"),
        );
    } else {
        option.unknown(place.keys, errors);
    }
    false
}

/// `` `a`, `b` and `c` ``.
fn listed(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
