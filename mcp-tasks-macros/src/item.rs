//! The function under the attribute. Its signature is read, its body is not: while it is being typed,
//! rustc's own errors about it are the only ones.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Expr, ExprLit, FnArg, Ident, Lit, Meta, Signature, Token, Type, Visibility};

use crate::errors::Errors;
use crate::kind::plain as plain_type;
use crate::namesake;
use crate::options::plain;

/// The function as the user wrote it.
pub(crate) struct ToolFn {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    body: TokenStream,
}

/// What stands under the attribute.
pub(crate) enum Item {
    Function(Box<ToolFn>),
    /// A function of this name whose signature is being typed. rustc has already said what it lacks.
    Unfinished(Ident),
    /// Something else, and what to say of it.
    Other(syn::Error),
}

impl Item {
    pub(crate) fn read(item: &TokenStream) -> Self {
        match Self::parse.parse2(item.clone()) {
            Ok(item) => item,
            Err(error) => name(item).map_or(Self::Other(error), Self::Unfinished),
        }
    }

    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        if !is_function(input)? {
            let item: TokenStream = input.parse()?;
            let head: TokenStream = item.into_iter().take(2).collect();
            let text = "`#[mcp_tool]` goes on an `async fn`";
            return Ok(Self::Other(syn::Error::new_spanned(head, text)));
        }
        let sig: Signature = input.parse()?;
        let body: TokenStream = input.parse()?;
        if !matches!(body.clone().into_iter().next(), Some(TokenTree::Group(_))) {
            let text = "a tool needs a body; a trait's function cannot be one";
            return Ok(Self::Other(syn::Error::new_spanned(&sig.ident, text)));
        }
        Ok(Self::Function(Box::new(ToolFn {
            attrs,
            vis,
            sig,
            body,
        })))
    }
}

/// What stands after `fn`.
fn name(item: &TokenStream) -> Option<Ident> {
    let is_fn = |token: &TokenTree| matches!(token, TokenTree::Ident(ident) if ident == "fn");
    let mut tokens = item.clone().into_iter();
    tokens.find(is_fn)?;
    match tokens.next() {
        Some(TokenTree::Ident(name)) => Some(name),
        _ => None,
    }
}

/// A function that is no tool, without the attributes of its parameters: docs and `#[arg]` are no Rust there.
pub(crate) fn without_parameter_attributes(item: TokenStream) -> TokenStream {
    let mut is_function = false;
    let strip = |token| match token {
        TokenTree::Group(group) if is_function && group.delimiter() == Delimiter::Parenthesis => {
            is_function = false;
            let mut stripped =
                Group::new(Delimiter::Parenthesis, without_attributes(group.stream()));
            stripped.set_span(group.span());
            TokenTree::Group(stripped)
        }
        token => {
            is_function |= matches!(&token, TokenTree::Ident(ident) if ident == "fn");
            token
        }
    };
    item.into_iter().map(strip).collect()
}

fn without_attributes(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut kept = TokenStream::new();
    while let Some(token) = tokens.next() {
        let is_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        let is_attribute = matches!(tokens.peek(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket);
        if is_hash && is_attribute {
            tokens.next();
        } else {
            kept.extend([token]);
        }
    }
    kept
}

fn is_function(input: ParseStream<'_>) -> syn::Result<bool> {
    let ahead = input.fork();
    ahead.parse::<Option<Token![const]>>()?;
    ahead.parse::<Option<Token![async]>>()?;
    ahead.parse::<Option<Token![unsafe]>>()?;
    ahead.parse::<Option<syn::Abi>>()?;
    Ok(ahead.peek(Token![fn]))
}

impl ToolFn {
    /// Stands in for a function of which only the name is known.
    pub(crate) fn unfinished(name: &Ident) -> Self {
        Self {
            attrs: Vec::new(),
            vis: syn::parse_quote!(pub),
            sig: syn::parse_quote!(fn #name()),
            body: TokenStream::new(),
        }
    }

    /// Takes off what means something to the macro alone and is no Rust: docs and `#[arg]` on
    /// parameters, misplaced macro attributes on the function. Returns each parameter's own.
    pub(crate) fn strip(&mut self, errors: &mut Errors) -> Vec<Vec<Attribute>> {
        let (misplaced, attrs) = std::mem::take(&mut self.attrs)
            .into_iter()
            .partition(is_misplaced);
        self.attrs = attrs;
        for attr in misplaced {
            errors.at(
                &attr,
                if is_named(&attr, "mcp_tool") {
                    "`#[mcp_tool]` stands here twice; write all options in one"
                } else if is_entry(&attr) {
                    "this attribute makes a function that the program or the test runner calls; a tool's server calls it: drop one of the two"
                } else if is_named(&attr, "arg") {
                    "`#[arg]` goes on a parameter; the tool's own options stand in `#[mcp_tool(..)]`"
                } else {
                    "`#[form]` goes on what derives `ElicitForm`; a tool's options stand in `#[mcp_tool(..)]`"
                },
            );
        }
        self.sig
            .inputs
            .iter_mut()
            .map(|input| {
                let attrs = match input {
                    FnArg::Typed(param) => &mut param.attrs,
                    FnArg::Receiver(receiver) => &mut receiver.attrs,
                };
                let (ours, rest) = std::mem::take(attrs).into_iter().partition(is_ours);
                *attrs = rest;
                ours
            })
            .collect()
    }

    /// Where the body uses a module or crate that is named like the function.
    pub(crate) fn namesake(&self) -> Option<Ident> {
        namesake::find(&self.body, &self.sig.ident)
    }

    /// Takes out of a faulty signature what rustc would refuse as well.
    pub(crate) fn mend(&mut self) {
        self.sig.variadic = None;
        for input in &mut self.sig.inputs {
            if let FnArg::Typed(param) = input
                && let Type::TraitObject(object) = plain_type(&param.ty)
            {
                let bounds = &object.bounds;
                *param.ty = syn::parse_quote!(impl #bounds);
            }
        }
    }

    /// The `#[cfg]`s, which guard whatever is generated beside the function.
    pub(crate) fn cfgs(&self) -> impl Iterator<Item = &Attribute> {
        self.attrs.iter().filter(|attr| attr.path().is_ident("cfg"))
    }
}

impl ToTokens for ToolFn {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            attrs,
            vis,
            sig,
            body,
        } = self;
        tokens.extend(quote!(#(#attrs)* #vis #sig #body));
    }
}

pub(crate) fn is_named(attr: &Attribute, name: &str) -> bool {
    attr.path()
        .segments
        .last()
        .is_some_and(|last| last.ident == name)
}

fn is_misplaced(attr: &Attribute) -> bool {
    is_named(attr, "mcp_tool")
        || attr.path().is_ident("arg")
        || attr.path().is_ident("form")
        || is_entry(attr)
}

/// `#[test]`, or one such as `#[tokio::main]` and `#[tokio::test]`.
fn is_entry(attr: &Attribute) -> bool {
    is_named(attr, "test") || (is_named(attr, "main") && attr.path().segments.len() > 1)
}

/// Others that can only be a mistake on a parameter are here as well.
fn is_ours(attr: &Attribute) -> bool {
    ["doc", "arg", "cfg", "cfg_attr", "serde", "schemars", "form"]
        .iter()
        .any(|name| attr.path().is_ident(name))
        || is_named(attr, "mcp_tool")
}

/// The text of the doc comments among `attrs`: a literal, or a `concat!` where one of them is made
/// by a macro such as `include_str!`.
pub(crate) fn docs(attrs: &[Attribute]) -> Option<TokenStream> {
    let mut parts: Vec<Expr> = Vec::new();
    for attr in attrs {
        match &attr.meta {
            Meta::NameValue(doc) if attr.path().is_ident("doc") => {
                parts.push(plain(doc.value.clone()));
            }
            _ => {}
        }
    }
    let lines: Option<Vec<String>> = parts.iter().map(doc_text).collect();
    if let Some(lines) = lines {
        let text = unindent(&lines.join("\n"));
        return (!text.is_empty()).then(|| text.to_token_stream());
    }
    let (first, rest) = parts.split_first()?;
    Some(quote!(::core::concat!(#first #(, "\n", #rest)*)))
}

fn doc_text(part: &Expr) -> Option<String> {
    match part {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(without_stars(&text.value())),
        _ => None,
    }
}

/// The text of a block comment without the column of stars at its left.
fn without_stars(text: &str) -> String {
    let starred = |line: &str| line.trim_start().starts_with('*');
    let mut rest = text
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .peekable();
    if rest.peek().is_none() || !rest.all(starred) {
        return text.to_owned();
    }
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.trim_start().strip_prefix('*').unwrap_or(line))
        .collect();
    lines.join("\n")
}

/// Without the margin that all lines share, and without blank ends.
fn unindent(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let margin = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(indent)
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.get(margin..).unwrap_or("").trim_end())
        .collect();
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use syn::{Attribute, parse_quote};

    use super::docs;

    fn text(attrs: &[Attribute]) -> Option<String> {
        let tokens = docs(attrs)?;
        Some(
            syn::parse2::<syn::LitStr>(tokens)
                .expect("a literal")
                .value(),
        )
    }

    #[test]
    fn all_paragraphs_become_the_description() {
        let attrs: Vec<Attribute> = parse_quote! {
            /// Deploys.
            ///
            /// - first
            ///   - nested
            ///
        };
        assert_eq!(
            text(&attrs).as_deref(),
            Some("Deploys.\n\n- first\n  - nested")
        );
    }

    #[test]
    fn a_block_comment_loses_its_stars() {
        let attrs: Vec<Attribute> = parse_quote! {
            /**
             * Deploys.
             * Twice.
             */
        };
        assert_eq!(text(&attrs).as_deref(), Some("Deploys.\nTwice."));
    }

    #[test]
    fn an_included_text_is_joined_by_the_compiler() {
        let attrs: Vec<Attribute> = parse_quote! { #[doc = include_str!("a.md")] };
        let tokens = docs(&attrs).expect("a description").to_string();
        assert_eq!(
            tokens,
            quote::quote!(::core::concat!(include_str!("a.md"))).to_string()
        );
    }

    #[test]
    fn blank_docs_describe_nothing() {
        let attrs: Vec<Attribute> = parse_quote! {
            ///
            #[inline]
        };
        assert!(docs(&attrs).is_none());
    }
}
