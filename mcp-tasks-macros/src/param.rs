//! One parameter: where its value comes from, and what `#[arg(..)]` says of it.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Pat, PatType, Type};

use crate::errors::Errors;
use crate::json::json;
use crate::kind::Kind;
use crate::options::{self, Opt};
use crate::{bounds, item, krate, types};

const KEYS: &[&str] = &[
    "default",
    "rename",
    "description",
    "example",
    "min",
    "max",
    "min_len",
    "max_len",
    "min_items",
    "max_items",
    "header",
    "inject",
];

/// A parameter of a tool.
pub(crate) struct Param {
    pub(crate) ty: Type,
    pub(crate) source: Source,
}

/// Where a parameter's value comes from.
pub(crate) enum Source {
    /// A plain name: an argument or an injected value, as the type's traits say.
    Named(Named),
    /// A pattern has no name, so there is no argument for it.
    Pattern,
    /// `#[arg(inject)]`
    Injected,
}

/// A parameter that may be an argument.
pub(crate) struct Named {
    /// The JSON property, spanned where the user wrote it.
    pub(crate) wire: LitStr,
    /// What else is known, as calls on the `ParamSpec`.
    pub(crate) spec: TokenStream,
    /// The header that repeats it, as the user wrote it.
    pub(crate) header: Option<LitStr>,
    /// An `fn() -> T` that makes a missing argument.
    pub(crate) default: Option<TokenStream>,
}

impl Param {
    /// Reads a parameter; `attrs` are those that were stripped from it.
    pub(crate) fn parse(param: &PatType, attrs: &[Attribute], errors: &mut Errors) -> Self {
        types::check_param(&param.ty, errors);
        check_others(attrs, errors);
        let options = options::of(attrs, "arg", errors);
        let inject = options.iter().find(|option| option.key == "inject");
        if let Some(inject) = inject {
            inject.bare(errors);
        }
        let source = match (&*param.pat, inject) {
            (Pat::Ident(pat), None) if pat.subpat.is_none() => {
                let name = LitStr::new(&pat.ident.unraw().to_string(), pat.ident.span());
                let mut named = Named {
                    wire: name,
                    spec: TokenStream::new(),
                    header: None,
                    default: None,
                };
                named.read(&options, item::docs(attrs), errors);
                let kind = Kind::of(&param.ty);
                bounds::check(kind, &options, errors);
                bounds::check_width(&param.ty, &options, errors);
                bounds::check_example(kind, &options, errors);
                if let Some(header) = &named.header {
                    types::check_mirrored(&param.ty, header, errors);
                }
                Source::Named(named)
            }
            (_, inject) => {
                for option in options.iter().filter(|option| option.key != "inject") {
                    refuse_on_injected(option, errors);
                }
                if inject.is_some() {
                    Source::Injected
                } else {
                    Source::Pattern
                }
            }
        };
        Self {
            ty: (*param.ty).clone(),
            source,
        }
    }
}

fn refuse_on_injected(option: &Opt, errors: &mut Errors) {
    let key = option.name();
    if KEYS.contains(&key.as_str()) {
        errors.at(
            &option.key,
            format_args!("`{key}` is for arguments, and this parameter is injected; drop it"),
        );
    } else {
        option.unknown(KEYS, errors);
    }
}

/// Notes attributes that mean nothing on a parameter.
fn check_others(attrs: &[Attribute], errors: &mut Errors) {
    for attr in attrs {
        let path = attr.path();
        if path.is_ident("doc") || path.is_ident("arg") {
            continue;
        }
        errors.at(
            attr,
            if path.is_ident("cfg") || path.is_ident("cfg_attr") {
                "a tool's parameters cannot depend on `cfg`; write the function twice and put `#[cfg]` on each"
            } else if path.is_ident("form") {
                "`#[form]` goes on what derives `ElicitForm`; a parameter has `#[arg(..)]`"
            } else if item::is_named(attr, "mcp_tool") {
                "`#[mcp_tool]` goes on the function; a parameter has `#[arg(..)]`"
            } else {
                "a tool has no struct of arguments for serde and schemars to derive on; \
                 use `#[arg(..)]`, which has `default`, `rename`, `description` and bounds"
            },
        );
    }
}

impl Named {
    fn read(&mut self, options: &[Opt], docs: Option<TokenStream>, errors: &mut Errors) {
        let described = options.iter().find(|option| option.key == "description");
        let text = described.and_then(|option| option.text(errors));
        let text = text.map(ToTokens::to_token_stream).or(docs);
        self.spec
            .extend(text.map(|text| quote!(.description(#text))));
        for option in options {
            match option.name().as_str() {
                "description" => {}
                "rename" => self.rename(option, errors),
                "default" => self.default(option, errors),
                "example" => self.example(option, errors),
                "header" => self.header(option, errors),
                "min" | "max" => self.bound(option, errors),
                "min_len" | "max_len" | "min_items" | "max_items" => {
                    if let Some(count) = option.count(errors) {
                        self.call(option, count.tokens);
                    }
                }
                _ => option.unknown(KEYS, errors),
            }
        }
    }

    fn call(&mut self, option: &Opt, value: impl ToTokens) {
        let key = syn::Ident::new(&option.name(), Span::call_site());
        self.spec.extend(quote!(.#key(#value)));
    }

    /// A number literal, with or without a sign.
    fn bound(&mut self, option: &Opt, errors: &mut Errors) {
        let text = option.value().and_then(json).unwrap_or_default();
        let Ok(value) = text.parse::<f64>() else {
            let key = &option.key;
            option.wrong(
                errors,
                format_args!("`{key}` needs a number: `{key} = 1` or `{key} = -0.5`"),
            );
            return;
        };
        let number = text.parse::<i128>().map_or_else(
            |_| quote!(__mcp::Number::Float(#value)),
            |int| quote!(__mcp::Number::Int(#int)),
        );
        self.call(option, number);
    }

    fn rename(&mut self, option: &Opt, errors: &mut Errors) {
        match option.literal(errors) {
            Some(name) if name.value().is_empty() => {
                errors.at(name, "an argument needs a name of one character or more");
            }
            Some(name) => self.wire = name.clone(),
            None => {}
        }
    }

    /// RFC 9110 section 5.6.2: the name is a token.
    fn header(&mut self, option: &Opt, errors: &mut Errors) {
        let Some(name) = option.literal(errors) else {
            return;
        };
        let fits = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        let text = name.value();
        if text.is_empty() {
            errors.at(
                name,
                "a header needs a name: `header = \"Region\"` is `Mcp-Param-Region`",
            );
        } else if let Some(c) = text.chars().find(|c| !fits(*c)) {
            errors.at(
                name,
                format_args!(
                    "a header's name cannot contain {c:?}; letters, digits and `-` are safe"
                ),
            );
        } else if text.to_ascii_lowercase().starts_with("mcp-param-") {
            let own = &text["mcp-param-".len()..];
            errors.at(
                name,
                format_args!("`Mcp-Param-` is put before the name: write `header = \"{own}\"`"),
            );
        } else {
            self.spec.extend(quote!(.header(#name)));
            self.header = Some(name.clone());
        }
    }

    fn default(&mut self, option: &Opt, errors: &mut Errors) {
        self.spec.extend(quote!(.has_default()));
        let Some(value) = option.any(errors) else {
            // Spanned at the key, so that a type without `Default` is reported there.
            let make = quote_spanned!(option.key.span()=> ::core::default::Default::default);
            self.default = Some(make);
            return;
        };
        if let Some(json) = json(value) {
            self.spec.extend(quote!(.default_json(#json)));
        }
        self.default = Some(match value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => {
                let made = krate::from_text(&quote!(__mcp), text);
                quote_spanned!(text.span()=> || #made)
            }
            value => quote!(|| #value),
        });
    }

    fn example(&mut self, option: &Opt, errors: &mut Errors) {
        let Some(value) = option.required(errors) else {
            return;
        };
        match json(value) {
            Some(json) => self.spec.extend(quote!(.example_json(#json))),
            None => errors.at(value, "an example is a literal, or an array of literals"),
        }
    }
}
