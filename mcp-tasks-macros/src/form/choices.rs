//! A unit enum as a choice.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, Fields, Variant};

use super::attr::{Attrs, Place};
use super::{Target, fields};
use crate::errors::Errors;

const VARIANT: Place = Place {
    noun: "a variant",
    keys: &["title", "rename"],
};

pub(super) fn expand(
    target: &Target<'_>,
    data: &DataEnum,
    attrs: &Attrs,
    errors: &mut Errors,
) -> TokenStream {
    if data.variants.is_empty() {
        errors.at(
            target.ident,
            "there is nothing to choose from: a choice needs a variant",
        );
    }
    let mut names = HashSet::new();
    let items: Vec<_> = data
        .variants
        .iter()
        .map(|variant| item(variant, &mut names, errors))
        .collect();
    let title = option(attrs.literal("title", errors));
    let description = option(attrs.literal("description", errors));
    let description = match &attrs.doc {
        Some(doc) if attrs.option("description").is_none() => option(Some(doc)),
        _ => description,
    };
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    let places = 0..variants.len();
    let indexes = places.clone();
    let about = quote! {
        const ITEMS: &'static [(&'static str, ::core::option::Option<&'static str>)] = &[#(#items),*];
        const TITLE: ::core::option::Option<&'static str> = #title;
        const DESCRIPTION: ::core::option::Option<&'static str> = #description;
        fn at(index: usize) -> ::core::option::Option<Self> {
            ::core::option::Option::Some(match index {
                #(#places => Self::#variants,)*
                _ => return ::core::option::Option::None,
            })
        }
        fn index(&self) -> usize {
            match self { #(Self::#variants => #indexes,)* }
        }
    };
    implement(target, &about, &fields::alone(target))
}

/// A choice among nothing, for an enum with errors.
pub(super) fn stub(target: &Target<'_>, form: &TokenStream) -> TokenStream {
    let about = quote! {
        const ITEMS: &'static [(&'static str, ::core::option::Option<&'static str>)] = &[];
        const TITLE: ::core::option::Option<&'static str> = ::core::option::Option::None;
        const DESCRIPTION: ::core::option::Option<&'static str> = ::core::option::Option::None;
        fn at(index: usize) -> ::core::option::Option<Self> { ::core::option::Option::None }
        fn index(&self) -> usize { 0 }
    };
    implement(target, &about, form)
}

fn implement(target: &Target<'_>, about: &TokenStream, form: &TokenStream) -> TokenStream {
    let Target { ident, private, .. } = target;
    quote! {
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #private::FormChoice for #ident { #about }
        #[automatically_derived]
        impl #private::FormField for #ident {
            type Kind = #private::Choice;
            fn blank(name: &str) -> #private::Field<#private::Choice> {
                #private::choice::blank::<Self>(name)
            }
            fn into_default(self, field: #private::Field<#private::Choice>) -> #private::Field<#private::Choice> {
                #private::choice::into_default(self, field)
            }
            fn take(value: #private::Value) -> ::core::option::Option<Self> {
                #private::choice::take(value)
            }
        }
        #form
    }
}

fn item(variant: &Variant, names: &mut HashSet<String>, errors: &mut Errors) -> TokenStream {
    let attrs = Attrs::read(&variant.attrs, &VARIANT, errors);
    if !matches!(variant.fields, Fields::Unit) {
        errors.at(
            &variant.fields,
            "a choice is a plain word, so its variant cannot hold data",
        );
    }
    let name = attrs.name(&variant.ident, errors);
    if !names.insert(name.value()) {
        errors.at(
            &name,
            format_args!(
                "two variants are named `{}`; give this one another name, or another `rename`",
                name.value()
            ),
        );
    }
    let title = option(attrs.literal("title", errors));
    quote!((#name, #title))
}

fn option(text: Option<impl quote::ToTokens>) -> TokenStream {
    text.map_or_else(
        || quote!(::core::option::Option::None),
        |text| quote!(::core::option::Option::Some(#text)),
    )
}
