//! A struct as a form: one call for each field.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Field, Fields, Lit, LitStr};

use super::Target;
use super::attr::{Arg, Attrs, Place};
use super::faults::{Faults, listed, nearest};
use super::shape::Shape;

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

pub(super) fn expand(target: &Target<'_>, fields: &Fields, faults: &mut Faults) -> TokenStream {
    if let Fields::Unnamed(fields) = fields {
        faults.at(
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
        let read = read(target, field, &mut names, faults);
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
    faults: &mut Faults,
) -> TokenStream {
    let attrs = Attrs::read(&field.attrs, &FIELD, faults);
    let Some(ident) = &field.ident else {
        return TokenStream::new();
    };
    let name = attrs.name(ident, faults);
    if !names.insert(name.value()) {
        faults.at(&name, format!("two fields are named `{}`", name.value()));
    }
    let shape = Shape::of(&field.ty, faults);
    shape.check(&attrs, faults);
    let mut calls = TokenStream::new();
    if let (Some(doc), None) = (&attrs.doc, attrs.arg("description")) {
        let (f, private) = (local("f", name.span()), &target.private);
        calls.extend(quote!(let #f = #private::Field::description(#f, #doc);));
    }
    for arg in &attrs.args {
        calls.extend(call(arg, &attrs, &shape, &target.private, faults));
    }
    let default = attrs.arg("default").map_or_else(
        || quote!(::core::option::Option::None),
        |arg| {
            let (value, ty) = (default(arg, &shape), &field.ty);
            let default = local("default", Span::call_site());
            quote!({ let #default: #ty = #value; ::core::option::Option::Some(#default) })
        },
    );
    visit(target, &field.ty, &name, &default, &calls)
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
    arg: &Arg,
    attrs: &Attrs,
    shape: &Shape,
    private: &TokenStream,
    faults: &mut Faults,
) -> Option<TokenStream> {
    let Arg { key, value } = arg;
    let (of, value) = match key.to_string().as_str() {
        "rename" | "default" => return None,
        "title" | "description" => {
            let text = attrs.literal(&key.to_string(), faults)?;
            (quote!(Field), quote!(#text))
        }
        "format" => (quote!(Textual), format(attrs, private, faults)?),
        "min_len" | "max_len" => (quote!(Textual), quote!(#value)),
        "min_items" | "max_items" => (quote!(Counted), quote!(#value)),
        _ => (
            quote!(Ranged),
            value.as_ref().map(|value| shape.number(value))?,
        ),
    };
    let f = local("f", key.span());
    Some(quote_spanned!(key.span()=> let #f = #private::#of::#key(#f, #value);))
}

fn format(attrs: &Attrs, private: &TokenStream, faults: &mut Faults) -> Option<TokenStream> {
    let text = attrs.literal("format", faults)?;
    let value = text.value();
    if let Some((_, variant)) = FORMATS.iter().find(|(name, _)| *name == value) {
        let variant = Ident::new(variant, text.span());
        return Some(quote!(#private::Format::#variant));
    }
    let names: Vec<_> = FORMATS.iter().map(|(name, _)| *name).collect();
    let hint = match nearest(&value, &names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", listed(&names)),
    };
    faults.at(text, format!("unknown format `{value}`; {hint}"));
    None
}

/// The default as a value of the field's type: `"text"` for a `String`, `[A, B]` for a `Vec`, `5` for a float.
fn default(arg: &Arg, shape: &Shape) -> TokenStream {
    match &arg.value {
        None => quote_spanned!(arg.key.span()=> ::core::default::Default::default()),
        Some(
            value @ (Expr::Lit(ExprLit {
                lit: Lit::Str(_), ..
            })
            | Expr::Array(_)),
        ) => {
            quote_spanned!(value.span()=> ::core::convert::From::from(#value))
        }
        Some(value) => shape.number(value),
    }
}
