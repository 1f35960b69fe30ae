//! One parameter: where its value comes from, and what `#[arg(..)]` says of it.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, Pat, PatType, Path, Type};

use crate::errors::Errors;
use crate::json::json;
use crate::options::{self, Opt};
use crate::{item, types};

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

/// Lower and upper limits of one thing.
const LIMITS: [(&str, &str); 3] = [
    ("min", "max"),
    ("min_len", "max_len"),
    ("min_items", "max_items"),
];

/// A limit whose value the macro can tell.
struct Limit<'a> {
    option: &'a Opt,
    value: f64,
}

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
    pub(crate) fn parse(
        param: &PatType,
        attrs: &[Attribute],
        krate: &Path,
        errors: &mut Errors,
    ) -> Self {
        types::check_param(&param.ty, errors);
        let options = options::parse(arg_tokens(attrs, errors), errors);
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
                named.read(&options, item::docs(attrs), krate, errors);
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

/// What stands in all `#[arg(..)]`s of a parameter; its other attributes are checked.
fn arg_tokens(attrs: &[Attribute], errors: &mut Errors) -> TokenStream {
    let mut tokens = TokenStream::new();
    for attr in attrs {
        match &attr.meta {
            _ if attr.path().is_ident("doc") => {}
            _ if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") => errors.at(
                attr,
                "a tool's parameters cannot depend on `cfg`; write the function twice and put `#[cfg]` on each",
            ),
            _ if !attr.path().is_ident("arg") => errors.at(
                attr,
                "a tool has no struct of arguments for serde and schemars to derive on; \
                 use `#[arg(..)]`, which has `default`, `rename`, `description` and bounds",
            ),
            Meta::Path(_) => {}
            Meta::List(list) => {
                let list = &list.tokens;
                let text = list.to_string();
                let comma = (!text.is_empty() && !text.ends_with(',')).then(|| quote!(,));
                tokens.extend(quote!(#list #comma));
            }
            Meta::NameValue(_) => errors.at(attr, "`#[arg]` takes its options in parentheses: `#[arg(default = 5)]`"),
        }
    }
    tokens
}

impl Named {
    fn read(
        &mut self,
        options: &[Opt],
        docs: Option<TokenStream>,
        krate: &Path,
        errors: &mut Errors,
    ) {
        let described = options.iter().find(|option| option.key == "description");
        let text = described.and_then(|option| option.text(errors));
        let text = text.map(ToTokens::to_token_stream).or(docs);
        self.spec
            .extend(text.map(|text| quote!(.description(#text))));
        let mut limits = Vec::new();
        for option in options {
            match option.name().as_str() {
                "description" => {}
                "rename" => self.rename(option, errors),
                "default" => self.default(option, krate, errors),
                "example" => self.example(option, errors),
                "header" => self.header(option, errors),
                "min" | "max" => limits.extend(self.bound(option, krate, errors)),
                "min_len" | "max_len" | "min_items" | "max_items" => {
                    limits.extend(self.count(option, errors));
                }
                _ => option.unknown(KEYS, errors),
            }
        }
        for (low, high) in LIMITS {
            check_order(low, high, &limits, errors);
        }
    }

    fn call(&mut self, option: &Opt, value: impl ToTokens) {
        let key = syn::Ident::new(&option.name(), Span::call_site());
        self.spec.extend(quote!(.#key(#value)));
    }

    /// A number literal, with or without a sign.
    fn bound<'a>(
        &mut self,
        option: &'a Opt,
        krate: &Path,
        errors: &mut Errors,
    ) -> Option<Limit<'a>> {
        let text = option.value().and_then(json).unwrap_or_default();
        let Ok(value) = text.parse::<f64>() else {
            let key = &option.key;
            option.wrong(
                errors,
                format_args!("`{key}` needs a number: `{key} = 1` or `{key} = -0.5`"),
            );
            return None;
        };
        let number = text.parse::<i128>().map_or_else(
            |_| quote!(#krate::__private::Number::Float(#value)),
            |int| quote!(#krate::__private::Number::Int(#int)),
        );
        self.call(option, number);
        Some(Limit { option, value })
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "only compared with another limit"
    )]
    fn count<'a>(&mut self, option: &'a Opt, errors: &mut Errors) -> Option<Limit<'a>> {
        let count = option.count(errors)?;
        self.call(option, count.tokens);
        let value = count.value? as f64;
        Some(Limit { option, value })
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
        } else {
            self.spec.extend(quote!(.header(#name)));
            self.header = Some(name.clone());
        }
    }

    fn default(&mut self, option: &Opt, krate: &Path, errors: &mut Errors) {
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
                // All of it at the text, where rustc then says that the type is not made from one.
                let at = text.span();
                let krate = krate.to_token_stream().into_iter().map(|mut token| {
                    token.set_span(token.span().located_at(at));
                    token
                });
                let krate: TokenStream = krate.collect();
                quote_spanned!(at=> || #krate::__private::FromText::from_text(#text))
            }
            value => quote!(|| #value),
        });
    }

    fn example(&mut self, option: &Opt, errors: &mut Errors) {
        match option.any(errors) {
            Some(value) => match json(value) {
                Some(json) => self.spec.extend(quote!(.example_json(#json))),
                None => errors.at(value, "an example is a literal, or an array of literals"),
            },
            None => errors.at(&option.key, "`example` needs a value: `example = \"..\"`"),
        }
    }
}

/// Notes a lower limit above its upper one: no argument would ever pass.
fn check_order(low: &str, high: &str, limits: &[Limit<'_>], errors: &mut Errors) {
    let find = |key| limits.iter().find(|limit| limit.option.key == key);
    if let (Some(low), Some(high)) = (find(low), find(high))
        && low.value > high.value
    {
        let (low, high) = (&low.option.key, &high.option.key);
        errors.at(
            low,
            format_args!("`{low}` is above `{high}`, so no argument would pass"),
        );
    }
}
