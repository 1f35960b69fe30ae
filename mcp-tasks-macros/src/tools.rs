//! `tools![a, m::b]`: a list of tools.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Attribute, Meta, Path, Token};

use crate::errors::Errors;
use crate::krate as runtime;
use crate::options::skip_to_comma;

/// One tool of the list, with the `#[cfg]`s before it.
struct Entry {
    cfgs: Vec<Attribute>,
    path: Path,
}

/// Expands `tools![..]`.
pub(crate) fn tools(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut krate = runtime::default();
    let mut entries = Vec::new();
    let parsed = (|input: ParseStream<'_>| {
        if input.peek(Token![crate]) && input.peek2(Token![=]) {
            krate = krate_path(input)?;
        }
        while !input.is_empty() {
            match entry(input, &mut errors) {
                Ok(entry) => entries.push(entry),
                Err(error) => {
                    errors.push(error);
                    skip_to_comma(input)?;
                }
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(())
    })
    .parse2(input);
    errors.ok(parsed);
    expand(&krate, &entries, &errors)
}

/// `crate = ::renamed;`
fn krate_path(input: ParseStream<'_>) -> syn::Result<Path> {
    input.parse::<Token![crate]>()?;
    input.parse::<Token![=]>()?;
    let path = input.call(Path::parse_mod_style)?;
    if !runtime::is_absolute(&path) {
        return Err(syn::Error::new_spanned(
            path,
            "`crate` is the path of mcp-tasks, such as `crate = ::renamed;`",
        ));
    }
    input.parse::<Token![;]>().map_err(|error| {
        syn::Error::new(
            error.span(),
            "a `;` stands between the crate and the tools: `tools![crate = ::renamed; a, b]`",
        )
    })?;
    Ok(path)
}

fn entry(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Entry> {
    let (cfgs, others): (_, Vec<Attribute>) = input
        .call(Attribute::parse_outer)?
        .into_iter()
        .partition(|attr| attr.path().is_ident("cfg"));
    for attr in others {
        errors.at(
            attr,
            "only `#[cfg(..)]` may stand before a tool in this list",
        );
    }
    let Ok(path) = input.call(Path::parse_mod_style) else {
        return Err(input
            .error("list each tool by the path of its function: `tools![search, jobs::import]`"));
    };
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(Entry { cfgs, path });
    }
    Err(input.error("a tool is listed by its path alone; tools are separated by commas"))
}

fn expand(krate: &Path, entries: &[Entry], errors: &Errors) -> TokenStream {
    let list = entries
        .iter()
        .map(|Entry { cfgs, path }| quote!(#(#cfgs)* <#path as #krate::__private::Listed>::ENTRY));
    let checks = uniqueness(krate, entries);
    quote! {{
        #errors
        const TOOLS: &[#krate::__private::ToolEntry] = &[#(#list),*];
        #checks
        #krate::__private::Tools::new(TOOLS, ::core::env!("CARGO_PKG_VERSION"))
    }}
}

/// One constant for each tool but the first, whose evaluation fails at a name that is taken.
fn uniqueness(krate: &Path, entries: &[Entry]) -> TokenStream {
    let mut checks = TokenStream::new();
    // How many tools come before one: those that are always there, and those whose `cfg` holds.
    let mut certain = 0_usize;
    let mut guarded: Vec<TokenStream> = Vec::new();
    for Entry { cfgs, path } in entries {
        if certain + guarded.len() > 0 {
            let call = call_at(
                path,
                &quote!(#krate::__private::unique),
                &quote!(TOOLS, #certain #(+ #guarded as usize)*),
            );
            checks.extend(quote!(#(#cfgs)* const _: () = #call;));
        }
        if cfgs.is_empty() {
            certain += 1;
        } else {
            let predicates = cfgs.iter().filter_map(|attr| match &attr.meta {
                Meta::List(list) => Some(&list.tokens),
                _ => None,
            });
            guarded.push(quote!(::core::cfg!(all(#(#predicates),*))));
        }
    }
    checks
}

/// `function(arguments)` with the span of the whole of `path`, from its first token to its last.
fn call_at(path: &Path, function: &TokenStream, arguments: &TokenStream) -> TokenStream {
    let start = path.span();
    let end = path.segments.last().map_or(start, |last| last.ident.span());
    let function = function.clone().into_iter().map(|mut token| {
        token.set_span(start);
        token
    });
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments.clone());
    arguments.set_span(end);
    function.chain([TokenTree::Group(arguments)]).collect()
}
