//! What a function must be to become a tool.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::{Attribute, FnArg, Ident, ReturnType, Safety, Signature, Type, parse_quote};

use crate::args::{Args, name_fault};
use crate::errors::Errors;
use crate::item::{self, ToolFn};
use crate::param::{Named, Param, Source};
use crate::types;

/// Types that a struct of the same name would hide.
const PRIMITIVES: &[&str] = &[
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64",
    "i128", "isize", "f32", "f64",
];

/// Everything the expansion needs of a function.
pub(crate) struct Model {
    /// The name clients see.
    pub(crate) name: TokenStream,
    pub(crate) description: TokenStream,
    pub(crate) params: Vec<Param>,
    pub(crate) output: Type,
}

impl Model {
    /// Reads `function`, whose parameters had `attrs` of their own, and notes all that is wrong with it.
    pub(crate) fn read(
        function: &ToolFn,
        attrs: &[Vec<Attribute>],
        args: &Args,
        errors: &mut Errors,
    ) -> Self {
        let sig = &function.sig;
        check_qualifiers(sig, args, errors);
        check_name(&sig.ident, args, errors);
        let before = errors.count();
        if args.blocking.is_some()
            || sig.asyncness.is_some()
            || types::future(&sig.output).is_none()
        {
            types::check_return(sig, errors);
        }
        let params: Vec<Param> = sig
            .inputs
            .iter()
            .zip(attrs)
            .filter_map(|(input, attrs)| match input {
                FnArg::Typed(param) => Some(Param::parse(param, attrs, errors)),
                FnArg::Receiver(receiver) => {
                    errors.at(
                        receiver,
                        "a tool is a free function; take shared state as a `State<T>` parameter",
                    );
                    None
                }
            })
            .collect();
        check_generics(sig, errors.count() > before, errors);
        check_wire_names(&params, errors);
        check_headers(&params, errors);
        Self {
            name: args.name.as_ref().map_or_else(
                || sig.ident.unraw().to_string().to_token_stream(),
                ToTokens::to_token_stream,
            ),
            description: description(function, args, errors),
            params,
            output: match &sig.output {
                ReturnType::Type(_, ty) => (**ty).clone(),
                ReturnType::Default => parse_quote!(()),
            },
        }
    }
}

fn check_qualifiers(sig: &Signature, args: &Args, errors: &mut Errors) {
    if let Some(constness) = &sig.constness {
        errors.at(constness, "a tool cannot be `const`; drop it");
    }
    if let Safety::Unsafe(unsafety) = &sig.safety {
        errors.at(
            unsafety,
            "a tool cannot be `unsafe`, since clients call it; make it safe",
        );
    }
    if let Some(abi) = &sig.abi {
        errors.at(abi, "a tool is an ordinary Rust function; drop the ABI");
    }
    if let Some(variadic) = &sig.variadic {
        errors.at(
            variadic,
            "a tool has a fixed list of parameters; take a `Vec<T>`",
        );
    }
    match (&sig.asyncness, &args.blocking) {
        (Some(_), Some(blocking)) => {
            errors.at(blocking, "`blocking` is for functions that are not async; drop it, or drop `async` and ask with `.wait()`");
        }
        (None, None) => match types::future(&sig.output) {
            Some(ty) => errors.at(ty, "write `async fn` with what the future returns as the result type"),
            None => errors.at(
                sig.fn_token,
                "a tool is an `async fn`; for a body that blocks its thread write `#[mcp_tool(blocking)]`",
            ),
        },
        _ => {}
    }
}

fn check_name(name: &Ident, args: &Args, errors: &mut Errors) {
    let text = name.unraw().to_string();
    if PRIMITIVES.contains(&text.as_str()) {
        errors.at(
            name,
            format_args!(
                "a tool's function cannot be named like the type `{text}`; rename it and write `name = \"{text}\"`"
            ),
        );
    } else if !args.named
        && let Some(fault) = name_fault(&text)
    {
        errors.at(name, format_args!("{fault}: write `name = \"..\"`"));
    }
}

/// `in_types` says that the lifetimes were already pointed at where they are used.
fn check_generics(sig: &Signature, in_types: bool, errors: &mut Errors) {
    let generics = &sig.generics;
    if generics
        .params
        .iter()
        .any(|param| !matches!(param, syn::GenericParam::Lifetime(_)))
    {
        errors.at(
            generics,
            "a tool has one schema, so it cannot be generic; name concrete types",
        );
    } else if generics.params.is_empty() {
        if let Some(clause) = &generics.where_clause {
            errors.at(
                clause,
                "a tool is not generic, so a `where` clause says nothing; drop it",
            );
        }
    } else if !in_types {
        errors.at(
            generics,
            "a tool owns its arguments and its result, so it has no lifetimes; drop them",
        );
    }
}

fn check_wire_names(params: &[Param], errors: &mut Errors) {
    let mut seen = std::collections::HashSet::new();
    for param in params {
        if let Source::Named(named) = &param.source {
            let name = named.wire.value();
            if !seen.insert(name.clone()) {
                let text = format!(
                    "two parameters are named `{name}`; give this one another name, or another `rename`"
                );
                errors.push(syn::Error::new(named.wire.span(), text));
            }
        }
    }
}

/// 2026-07-28 streamable HTTP: unique without regard to case, as header names are.
fn check_headers(params: &[Param], errors: &mut Errors) {
    let mut seen = std::collections::HashSet::new();
    for param in params {
        if let Source::Named(Named {
            header: Some(header),
            ..
        }) = &param.source
            && !seen.insert(header.value().to_ascii_lowercase())
        {
            errors.at(
                header,
                format_args!(
                    "two parameters are repeated in the header `Mcp-Param-{}`; give this one another",
                    header.value()
                ),
            );
        }
    }
}

fn description(function: &ToolFn, args: &Args, errors: &mut Errors) -> TokenStream {
    let text = args
        .description
        .as_ref()
        .map(ToTokens::to_token_stream)
        .or_else(|| item::docs(&function.attrs));
    text.unwrap_or_else(|| {
        let name = &function.sig.ident;
        if args.misplaced_text {
            return quote!("");
        }
        errors.at(
            name,
            format_args!("`{name}` needs a description, because a model chooses by it: add a `///` comment or `description = \"..\"`"),
        );
        quote!("")
    })
}
