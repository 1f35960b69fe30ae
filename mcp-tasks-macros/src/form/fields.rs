//! A struct as a form: one call for each field.

use std::collections::HashSet;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprUnary, Field, Fields, Lit, LitStr, Type, UnOp};

use super::Target;
use super::attr::{Attrs, Place};
use crate::bounds;
use crate::errors::{Errors, suggest};
use crate::kind::{self, Kind};
use crate::krate;
use crate::options::Opt;

const FIELD: Place = Place {
    noun: "a field",
    keys: &[
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
    ],
};

const FORMATS: &[(&str, &str)] = &[
    ("email", "Email"),
    ("uri", "Uri"),
    ("date", "Date"),
    ("date-time", "DateTime"),
];

pub(super) fn expand(target: &Target<'_>, fields: &Fields, errors: &mut Errors) -> TokenStream {
    if let Fields::Unnamed(fields) = fields {
        errors.at(
            fields,
            "a form's fields need names: use a struct with named fields",
        );
        return TokenStream::new();
    }
    let mut names = HashSet::new();
    let mut reads = TokenStream::new();
    let mut inits = TokenStream::new();
    for (index, field) in fields.iter().enumerate() {
        let value = local(&format!("field_{index}"), Span::call_site());
        let ident = &field.ident;
        let read = read(target, field, &mut names, errors);
        reads.extend(quote!(let #value = #read;));
        inits.extend(quote!(#ident: #value?,));
    }
    implement(
        target,
        &quote!(#reads ::core::option::Option::Some(Self { #inits })),
    )
}

/// The impl around `body`, which gives an `Option<Self>`.
pub(super) fn implement(target: &Target<'_>, body: &TokenStream) -> TokenStream {
    let Target {
        ident,
        private,
        generics,
    } = target;
    let (parameters, arguments, _) = generics.split_for_impl();
    let clause = (!generics.params.is_empty())
        .then(|| quote!(where Self: ::core::marker::Sized + ::core::marker::Send + 'static));
    let pass = local("pass", Span::call_site());
    quote! {
        #[automatically_derived]
        impl #parameters #private::ElicitForm for #ident #arguments #clause {
            #[allow(unused_variables)]
            fn fields(#pass: &mut #private::FormPass) -> ::core::option::Option<Self> { #body }
        }
    }
}

/// A name that the user's expressions cannot see, at the place of `span`.
fn local(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(span))
}

fn read(
    target: &Target<'_>,
    field: &Field,
    names: &mut HashSet<String>,
    errors: &mut Errors,
) -> TokenStream {
    let attrs = Attrs::read(&field.attrs, &FIELD, errors);
    let Some(ident) = &field.ident else {
        return TokenStream::new();
    };
    let name = attrs.name(ident, errors);
    if !names.insert(name.value()) {
        errors.at(
            &name,
            format_args!(
                "two fields are named `{}`; give this one another name, or another `rename`",
                name.value()
            ),
        );
    }
    let kind = check(&field.ty, &attrs, errors);
    let mut calls = TokenStream::new();
    if let (Some(doc), None) = (&attrs.doc, attrs.option("description")) {
        let (f, private) = (local("f", name.span()), &target.private);
        calls.extend(quote!(let #f = #private::Field::description(#f, #doc);));
    }
    for option in &attrs.options {
        calls.extend(call(option, kind, &target.private, errors));
    }
    let default = attrs.option("default").map_or_else(
        || quote!(::core::option::Option::None),
        |option| {
            let (value, ty) = (default(option, kind, &target.private, errors), &field.ty);
            let default = local("default", Span::call_site());
            quote!({ let #default: #ty = #value; ::core::option::Option::Some(#default) })
        },
    );
    visit(target, &field.ty, &name, &default, &calls)
}

/// Notes what a field's type and attributes cannot be together, and gives the kind of its values.
fn check(ty: &Type, attrs: &Attrs, errors: &mut Errors) -> Kind {
    let inner = kind::optional(ty);
    if let Type::Reference(_) = inner.unwrap_or(ty) {
        errors.at(
            inner.unwrap_or(ty),
            "an answer is owned, so a field cannot borrow: use `String` for `&str`",
        );
    }
    if inner.is_some_and(|inner| kind::optional(inner).is_some()) {
        errors.at(ty, "a field is there or not: one `Option` says it");
    }
    if let (Some(_), Some(default)) = (inner, attrs.option("default")) {
        errors.at(
            &default.key,
            "a field with a default always has a value: drop the `Option` or the `default`",
        );
    }
    let kind = Kind::of(ty);
    bounds::check(kind, &attrs.options, errors);
    kind
}

/// What is said of a field's type is said at that type.
fn visit(
    target: &Target<'_>,
    ty: &impl ToTokens,
    name: &LitStr,
    default: &TokenStream,
    calls: &TokenStream,
) -> TokenStream {
    let private = &target.private;
    let (pass, f) = (local("pass", ty.span()), local("f", ty.span()));
    quote_spanned! {ty.span()=>
        <#ty as #private::FormField>::visit(#pass, #name, #default, |#f| { #calls #f })
    }
}

/// An enum by itself is a form with one field.
pub(super) fn alone(target: &Target<'_>) -> TokenStream {
    let name = LitStr::new("value", Span::call_site());
    let none = quote!(::core::option::Option::None);
    let body = visit(target, &quote!(Self), &name, &none, &TokenStream::new());
    implement(target, &body)
}

/// What one attribute does to the field `f`. All of it stands at the key, where the compiler then complains of a
/// field that cannot have it.
fn call(
    option: &Opt,
    kind: Kind,
    private: &TokenStream,
    errors: &mut Errors,
) -> Option<TokenStream> {
    let key = &option.key;
    let value = option.value();
    let (of, value) = match option.name().as_str() {
        "rename" | "default" => return None,
        "title" | "description" => {
            let text = option.literal(errors)?;
            (quote!(Field), quote!(#text))
        }
        "format" => (quote!(Textual), format(option, private, errors)?),
        "min_len" | "max_len" => (quote!(Textual), quote!(#value)),
        "min_items" | "max_items" => (quote!(Counted), quote!(#value)),
        _ => (quote!(Ranged), number(value?, kind)),
    };
    let f = local("f", key.span());
    Some(quote_spanned!(key.span()=> let #f = #private::#of::#key(#f, #value);))
}

fn format(option: &Opt, private: &TokenStream, errors: &mut Errors) -> Option<TokenStream> {
    let text = option.literal(errors)?;
    let value = text.value();
    if let Some((_, variant)) = FORMATS.iter().find(|(name, _)| *name == value) {
        let variant = Ident::new(variant, text.span());
        return Some(quote!(#private::Format::#variant));
    }
    let names: Vec<_> = FORMATS.iter().map(|(name, _)| *name).collect();
    errors.at(
        text,
        format_args!("unknown format `{value}`; {}", suggest(&value, &names)),
    );
    None
}

/// The default as a value of the field's type: `"text"` for a `String`, `[A, B]` for a `Vec`, `5` for a float.
fn default(option: &Opt, kind: Kind, private: &TokenStream, errors: &mut Errors) -> TokenStream {
    match option.any(errors) {
        None => quote_spanned!(option.key.span()=> ::core::default::Default::default()),
        Some(Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        })) => krate::from_text(private, text),
        Some(value @ Expr::Array(_)) => {
            quote_spanned!(value.span()=> ::core::convert::From::from(#value))
        }
        Some(value) => number(value, kind),
    }
}

/// A value as it stands, except that `5` is a number for a float too.
fn number(value: &Expr, kind: Kind) -> TokenStream {
    let float = (kind == Kind::Float).then(|| float(value)).flatten();
    float.unwrap_or_else(|| quote!(#value))
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
